// Ticks on the differences that somebody has looked at, kept for these two maps where the browser can keep anything.
import { make } from "./elements.js";
import { remembered } from "./remembered.js";

export class Reviewed {
  constructor(hashes, rows, copy) {
    this.key = `aifgraph-reviewed-${hashes.join("-")}`;
    this.rows = rows;
    let known = [];
    try { known = JSON.parse(remembered.get(this.key) ?? "[]"); } catch { /* not ours */ }
    this.ids = new Set(Array.isArray(known) ? known : []);
    this.count = make("span", { role: "status" });
    const hide = make("input", { type: "checkbox" });
    hide.addEventListener("change", () => document.getElementById("chapters").classList.toggle("unreviewed", hide.checked));
    if (rows.length) document.getElementById("list-tools").append(this.count, make("label", {}, hide, " hide reviewed"));
    for (const row of rows) {
      const tick = make("input", { type: "checkbox" });
      tick.checked = this.ids.has(row.dataset.row);
      tick.addEventListener("change", () => this.set(row, tick.checked));
      const link = make("button", { type: "button", title: "Copy a link to this difference" }, "copy link");
      link.addEventListener("click", async () => {
        link.textContent = (await copy(row.dataset.row)) ? "copied" : "could not copy";
        setTimeout(() => { link.textContent = "copy link"; }, 1500);
      });
      row.append(make("div", { class: "row-tools" }, make("label", {}, tick, " reviewed"), link));
      row.classList.toggle("reviewed", tick.checked);
    }
    this.tell();
  }

  set(row, on) {
    if (on) this.ids.add(row.dataset.row);
    else this.ids.delete(row.dataset.row);
    row.classList.toggle("reviewed", on);
    row.querySelector(".row-tools input").checked = on;
    remembered.set(this.key, JSON.stringify([...this.ids]));
    this.tell();
  }

  toggle(row) {
    if (row) this.set(row, !this.ids.has(row.dataset.row));
  }

  tell() {
    const done = this.rows.filter((row) => this.ids.has(row.dataset.row)).length;
    this.count.textContent = `${done} of ${this.rows.length} reviewed`;
  }
}
