// What the address says after `#`: difference=ID, node=ID, search=WORDS, view=argument or dialogue, joined by &.
export function readAddress() {
  if (!location.hash.includes("=")) return {};
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

export function writeAddress(parts) {
  const given = Object.entries(parts).filter(([, value]) => value);
  const hash = given.length ? `#${given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}` : "";
  // An embedded page has no address of its own to write.
  try { history.replaceState(null, "", hash || location.pathname + location.search); } catch { /* about:srcdoc */ }
}

export async function copyAddress(parts) {
  const link = `${location.href.split("#")[0]}#${Object.entries(parts).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`;
  try {
    await navigator.clipboard.writeText(link);
    return true;
  } catch {
    // A page from a file may not reach the clipboard everywhere.
    const field = document.createElement("textarea");
    field.value = link;
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
}
