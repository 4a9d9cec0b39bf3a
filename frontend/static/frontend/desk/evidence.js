// Counts how the text comes into the page. Counts leave the page only once the server has them.
const ADDED = ["typed_characters", "pasted_characters", "edits"];
const IDLE = 30_000; // a longer pause is no writing
const PASTED = new Set(["insertFromPaste", "insertFromDrop", "insertFromYank", "insertFromPasteAsQuotation"]);

export class Evidence {
  constructor(form, { isPasteBlocked, counts, onBlocked }) {
    this.counts = { typed_characters: 0, pasted_characters: 0, largest_insert: 0, edits: 0, active: 0 };
    for (const name of Object.keys(this.counts)) this.counts[name] += counts[name] ?? 0;
    this.counts.active += 1000 * (counts.active_seconds ?? 0);
    this.values = new WeakMap();
    for (const field of form.querySelectorAll("textarea, input")) this.values.set(field, field.value);
    for (const name of ["keydown", "pointerdown", "input"]) {
      form.addEventListener(name, () => this.#tick(), { passive: true });
    }
    if (!isPasteBlocked) return;
    for (const name of ["paste", "drop"]) {
      form.addEventListener(name, (event) => { event.preventDefault(); onBlocked(); });
    }
    form.addEventListener("beforeinput", (event) => {
      if (PASTED.has(event.inputType)) { event.preventDefault(); onBlocked(); }
    });
  }

  count(event) {
    const field = event.target;
    const before = this.values.get(field) ?? "";
    this.values.set(field, field.value);
    if (!event.inputType) return; // a script's own change, or a choice
    const inserted = insertedLength(before, field.value);
    this.counts.edits += 1;
    this.counts[PASTED.has(event.inputType) ? "pasted_characters" : "typed_characters"] += inserted;
    this.counts.largest_insert = Math.max(this.counts.largest_insert, inserted);
  }

  // The text was changed by the page itself: the next difference starts from here.
  rebase(form) {
    for (const field of form.querySelectorAll("textarea, input")) this.values.set(field, field.value);
  }

  #tick() {
    const now = Date.now();
    if (this.last && now - this.last <= IDLE) this.counts.active += now - this.last;
    this.last = now;
  }

  peek() {
    const { active, ...counts } = this.counts;
    return { ...counts, active_seconds: Math.floor(active / 1000) };
  }

  drop(acknowledged) {
    for (const name of ADDED) this.counts[name] = Math.max(0, this.counts[name] - acknowledged[name]);
    this.counts.active = Math.max(0, this.counts.active - 1000 * acknowledged.active_seconds);
    if (this.counts.largest_insert <= acknowledged.largest_insert) this.counts.largest_insert = 0;
  }
}

// How many characters of the new text were not there before, between what stays at both ends.
function insertedLength(before, after) {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return after.length - head - tail;
}
