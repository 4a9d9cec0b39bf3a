import { ask } from "./ask.js";

const LEASES_IDLE = 2; // so long may a validator think without touching anything
const TICK = 5_000; // milliseconds

// Extends the validator's lease: a heartbeat every third of it while the page is visible and in use.
// It stops when the page was hidden for a whole lease or unused for two.
export class Lease {
  constructor({ onLost }) {
    Object.assign(this, { onLost, address: "", touchedAt: Date.now(), hiddenAt: null });
    for (const event of ["pointerdown", "keydown", "scroll"]) {
      addEventListener(event, () => this.touched(), { passive: true });
    }
    document.addEventListener("visibilitychange", () => this.seen());
    addEventListener("pageshow", (event) => { if (event.persisted) this.beat(); });
    setInterval(() => this.count(), TICK);
    this.follow();
  }

  get place() { return document.querySelector("#lease"); }

  // Called whenever the page shows something else.
  follow() {
    const place = this.place;
    clearTimeout(this.timer);
    this.address = place?.dataset.beat ?? "";
    if (!place) return;
    this.every = 1000 * Number(place.dataset.every);
    this.endsAt = Date.now() + 1000 * Number(place.dataset.seconds);
    this.timer = setTimeout(() => this.due(), this.every);
    this.count();
  }

  due() {
    if (this.isAtWork()) this.beat();
    else this.timer = setTimeout(() => this.due(), this.every);
  }

  isAtWork() {
    const lease = 3 * this.every, now = Date.now();
    if (now - this.touchedAt > LEASES_IDLE * lease) return false;
    return this.hiddenAt === null || now - this.hiddenAt < lease;
  }

  touched() {
    const wasAway = this.address && !this.isAtWork();
    this.touchedAt = Date.now();
    if (wasAway) this.beat();
  }

  seen() {
    this.hiddenAt = document.hidden ? Date.now() : null;
    if (document.hidden || !this.address) return;
    this.touchedAt = Date.now();
    this.beat();
  }

  async beat() {
    const address = this.address;
    clearTimeout(this.timer);
    if (!address) return;
    const { status, html } = await ask(address);
    if (address !== this.address || !this.place) return; // meanwhile answered
    if (status === 200) {
      this.place.outerHTML = html;
      this.follow();
    } else if (status === 404 || status === 410) {
      this.onLost(html);
    } else {
      if (status === 401 || status === 403) document.dispatchEvent(new Event("signed-out"));
      this.timer = setTimeout(() => this.due(), this.every);
    }
  }

  // Whole minutes only: a clock that runs hurries.
  count() {
    const place = this.place?.querySelector("[data-left]");
    if (!place) return;
    const minutes = Math.ceil((this.endsAt - Date.now()) / 60_000);
    const words = minutes === 1 ? place.dataset.one : place.dataset.many.replace("{n}", minutes);
    place.textContent = minutes > 0 ? words : "";
    this.place.querySelector("[data-until]").hidden = minutes > 0;
  }
}
