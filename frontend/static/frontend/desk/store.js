const DRAFTS = "wino:draft:";
const KEPT = 30 * 24 * 60 * 60 * 1000; // milliseconds; the server keeps drafts for longer

// What the browser itself keeps: one entry for each open page, so that two tabs never overwrite
// each other. A browser may refuse storage; then only the server keeps drafts.
export class Store {
  constructor(assignment) {
    this.prefix = `${DRAFTS}${assignment}:`;
    this.key = this.prefix + Date.now().toString(36) + Math.random().toString(36).slice(2);
    this.taken = [];
    dropOld();
  }

  // The entries of other pages, closed or crashed or still open in another tab.
  others() {
    try {
      const keys = Object.keys(localStorage).filter((key) => key.startsWith(this.prefix) && key !== this.key);
      const entries = keys.map((key) => [key, localStorage.getItem(key)]);
      this.taken = entries;
      return entries.map(([, text]) => parsed(text)).filter(Boolean);
    } catch {
      return [];
    }
  }

  write(entry) {
    try {
      localStorage.setItem(this.key, JSON.stringify({ ...entry, at: Date.now() }));
      return true;
    } catch {
      return false;
    }
  }

  // Called once what they held is in this page's own entry; one written since then stays.
  dropOthers() {
    try {
      for (const [key, text] of this.taken) {
        if (localStorage.getItem(key) === text) localStorage.removeItem(key);
      }
    } catch { /* nothing to drop */ }
  }
}

// Texts of assignments that were given back have nobody who would open them again.
function dropOld() {
  try {
    const drafts = Object.keys(localStorage).filter((key) => key.startsWith(DRAFTS));
    for (const key of drafts) {
      const entry = parsed(localStorage.getItem(key));
      if (!entry || Date.now() - entry.at > KEPT) localStorage.removeItem(key);
    }
  } catch { /* nothing to drop */ }
}

function parsed(text) {
  try {
    const entry = JSON.parse(text);
    return entry && typeof entry.fields === "object" ? entry : null;
  } catch {
    return null;
  }
}
