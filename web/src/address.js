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
