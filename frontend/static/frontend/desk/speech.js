// Where the text is, in words; a banner while something is wrong.
const NOTE_LASTS = 6_000;

export class Speech {
  constructor() {
    this.banner = document.querySelector("#desk-banner");
    this.place = document.querySelector("#draft-note");
    this.announcer = document.querySelector("#announce");
  }

  saved(at) {
    const time = new Date(at).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    this.#state(this.place.dataset.saved.replace("{time}", time));
  }

  unsaved(isKeptHere) {
    if (!isKeptHere) this.#state(this.place.dataset.nowhere);
    else if (this.current) this.kept();
  }

  kept() { this.#state(this.place.dataset.kept); }

  sending() {
    this.before ??= this.place.textContent;
    this.place.textContent = this.place.dataset.sending;
  }

  // Nothing went off after all.
  rest() {
    if (this.before && this.place.textContent === this.place.dataset.sending) this.place.textContent = this.before;
    this.before = null;
  }

  restored() { this.prefix = this.place.dataset.restored; this.#state(""); }

  trouble(kind, words) {
    this.current = kind;
    this.#banner(words ?? this.banner.dataset[kind]);
    this.kept();
  }

  calm() {
    this.current = null;
    clearTimeout(this.timer);
    this.banner.hidden = true;
  }

  // Something to know now that passes by itself.
  note(kind) {
    this.#banner(this.banner.dataset[kind]);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.current) this.#banner(this.banner.dataset[this.current] ?? "");
      else this.banner.hidden = true;
    }, NOTE_LASTS);
  }

  // Said to a screen reader, and only what is new.
  announce(words) {
    if (this.announcer.textContent !== words) this.announcer.textContent = words;
  }

  #banner(words) {
    if (!words) return;
    if (this.banner.textContent !== words) this.banner.textContent = words;
    this.banner.hidden = false;
  }

  #state(words) {
    const told = [this.prefix, words].filter(Boolean).join(" ");
    if (this.place.textContent !== told) this.place.textContent = told;
  }
}
