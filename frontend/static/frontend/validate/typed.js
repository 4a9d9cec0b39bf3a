const NAME = "wino:typed";

// What is chosen and typed for the question on the page, and not sent yet: this tab keeps it over a reload.
// The seat tells one validator's question from any other.
export class Typed {
  keep(seat, fields) {
    try { sessionStorage.setItem(NAME, JSON.stringify({ seat, fields })); } catch { /* only the page has it */ }
  }

  drop() {
    try { sessionStorage.removeItem(NAME); } catch { /* nothing is in it */ }
  }

  // Of a question that is no longer on the page nothing stays.
  of(seat) {
    try {
      const entry = JSON.parse(sessionStorage.getItem(NAME));
      if (entry?.seat === seat) return entry.fields;
    } catch { /* not ours */ }
    this.drop();
    return {};
  }
}
