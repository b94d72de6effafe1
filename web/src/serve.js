// The form of the service: files by drag and drop, whole folders, progress, and a result to open and to keep.
const form = document.querySelector("form");
const status = document.getElementById("status");
const bar = document.getElementById("progress");
const dropped = { first: null, second: null };

// Files that were dropped, folders with all that is in them, each with its path.
async function filesOf(items) {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const found = [];
  async function walk(entry, path) {
    if (entry.isFile) {
      const file = await new Promise((done, failed) => entry.file(done, failed));
      found.push([file, path + file.name]);
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((done, failed) => reader.readEntries(done, failed));
      if (!some.length) return;
      for (const each of some) await walk(each, `${path}${entry.name}/`);
    }
  }
  for (const entry of entries) await walk(entry, "");
  return found;
}

function tell(side, files) {
  const place = document.getElementById(`${side}-chosen`);
  const names = files.map(([, name]) => name);
  place.textContent = names.length > 1 ? `${names.length} files: ${names.slice(0, 3).join(", ")}${names.length > 3 ? " …" : ""}` : names[0] ?? "";
}

const chosen = (side) => dropped[side]
  ?? [form.elements[`${side}_folder`], form.elements[side]].map((field) => [...(field?.files ?? [])].map((file) => [file, file.webkitRelativePath || file.name])).find((files) => files.length)
  ?? [];

for (const side of ["first", "second"]) {
  const zone = document.getElementById(`${side}-zone`);
  for (const name of ["dragover", "dragenter"]) zone.addEventListener(name, (event) => { event.preventDefault(); zone.classList.add("over"); });
  for (const name of ["dragleave", "drop"]) zone.addEventListener(name, () => zone.classList.remove("over"));
  zone.addEventListener("drop", async (event) => {
    event.preventDefault();
    dropped[side] = await filesOf(event.dataTransfer.items);
    form.elements[side].required = false;
    tell(side, dropped[side]);
  });
  zone.addEventListener("change", () => {
    dropped[side] = null;
    form.elements[side].required = !chosen(side).length;
    tell(side, chosen(side));
  });
}

function show(text, links = []) {
  status.textContent = text;
  for (const [label, href] of links) {
    const a = document.createElement("a");
    a.href = href;
    a.textContent = label;
    status.append(" ", a);
  }
}

form.addEventListener("submit", (event) => {
  if (event.submitter?.value !== "html") return;
  event.preventDefault();
  const data = new FormData(form);
  for (const side of ["first", "second"]) {
    data.delete(side);
    data.delete(`${side}_folder`);
    for (const [file, name] of chosen(side)) data.append(side, file, name);
  }
  const job = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  data.append("format", "html");
  data.append("keep", "1");
  data.append("job", job);
  const request = new XMLHttpRequest();
  const begun = performance.now();
  let sent = false;
  bar.hidden = false;
  bar.removeAttribute("value");
  const asking = setInterval(async () => {
    if (!sent) return;
    const seconds = Math.round((performance.now() - begun) / 1000);
    const { done, total } = await fetch(`/progress/${job}`).then((answer) => answer.json()).catch(() => ({ total: 0 }));
    if (request.readyState === XMLHttpRequest.DONE) return;
    if (total) { bar.max = total; bar.value = done; }
    show(total ? `${done} of ${total} pairs compared, ${seconds} s` : `Comparing, ${seconds} s`);
  }, 500);
  request.upload.addEventListener("progress", (each) => { if (each.lengthComputable) { bar.max = each.total; bar.value = each.loaded; show("Sending"); } });
  request.upload.addEventListener("load", () => { sent = true; bar.removeAttribute("value"); show("Comparing"); });
  request.addEventListener("loadend", () => {
    clearInterval(asking);
    bar.hidden = true;
    let answer = null;
    try { answer = JSON.parse(request.responseText); } catch { /* no answer, or a page of an error */ }
    if (request.status === 200 && answer?.open) {
      show(`${answer.said} `, [["Open the report", answer.open], ["Save it", answer.save]]);
      status.querySelector("a").focus();
    } else {
      const error = answer?.error;
      show(error ? `That did not work. ${[error.where, error.what, error.remedy].filter(Boolean).join("; ")}.` : "That did not work: no answer.");
      status.focus();
    }
  });
  request.open("POST", "/compare");
  request.send(data);
});
