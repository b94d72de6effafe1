// What the browser keeps for the next visit; a page from a file may not be allowed to. `set` says whether it is kept.
export const remembered = {
  get: (key) => { try { return localStorage.getItem(key); } catch { return null; } },
  set: (key, value) => { try { localStorage.setItem(key, value); return true; } catch { return false; } },
};
