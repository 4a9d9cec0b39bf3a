import { same } from "./fields.js";

const SAVE_AFTER = 2_000; // milliseconds from the first change that is not saved
const RETRY_FIRST = 2_000;
const RETRY_LAST = 30_000;
const PATIENCE = 10_000; // how long one answer is waited for
const REMEMBERED = 8; // sends whose answer never came

// Saves the draft on the server: soon after a change, again when the server is back, and once more
// when the page goes. A save that another page was faster than is never forced through.
export class Saver {
  constructor(parts) {
    Object.assign(this, parts); // url, fields, evidence, speech, form, version, and three callbacks
    this.saved = null; // the fields that the server has acknowledged
    this.unanswered = []; // sent, but nobody knows whether they arrived
    this.isKeptHere = true;
    this.isHeld = false; // while the writer chooses between two versions
    this.wait = RETRY_FIRST;
    addEventListener("online", () => this.now());
    addEventListener("offline", () => { if (this.isTroubled) this.speech.trouble("offline"); else this.doubt(); });
    document.addEventListener("signed-out", () => { if (!this.isTroubled) this.#retry("signedOut"); });
    document.addEventListener("visibilitychange", () => { if (!document.hidden && this.isTroubled) this.now(); });
  }

  isDirty() { return !same(this.saved, this.fields.read()); }

  settle(fields, savedAt) {
    this.saved = fields;
    if (savedAt) this.speech.saved(savedAt);
  }

  soon(after = SAVE_AFTER) {
    if (this.timer || this.isHeld) return;
    this.timer = setTimeout(() => this.now(), after);
    if (this.isDirty()) this.speech.unsaved(this.isKeptHere);
  }

  now() {
    clearTimeout(this.timer);
    this.timer = null;
    this.running ??= this.#save().finally(() => { this.running = null; });
    return this.running;
  }

  // Wait until all that was typed is saved, or say why it is not.
  async flush() {
    this.isFlushing = true;
    try {
      let outcome = this.isHeld ? "conflict" : "saved";
      for (let attempts = 0; attempts < 3 && !this.isHeld && (attempts === 0 || this.isDirty()); attempts += 1) {
        await this.running;
        outcome = await this.now();
        if (outcome !== "saved") break;
      }
      // A text too long to be saved is the check's to refuse.
      return ["saved", "refused"].includes(outcome) ? await this.#isThere() : outcome;
    } finally {
      this.isFlushing = false;
    }
  }

  // The page goes: nobody will read the answer, so the browser's own copy counts as unsaved still.
  leave() {
    this.stop();
    if (!this.isDirty() || this.isHeld) return;
    const fields = this.fields.read();
    this.#sending({ fields, counts: this.evidence.peek() });
    // Too large for a page that goes, it fails; the browser has it.
    this.#post(this.#body(fields), { keepalive: true }).catch(() => {});
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
  }

  // Another request was not answered: find out, and go on trying until one is.
  doubt() {
    if (!this.isTroubled && !this.isHeld) this.#retry(navigator.onLine === false ? "offline" : "unreachable");
  }

  resume(version) {
    this.version = version ?? this.version;
    this.isHeld = false;
    this.unanswered = [];
    this.now();
  }

  async #save() {
    const fields = this.fields.read();
    if (this.isHeld) return "conflict";
    if (same(this.saved, fields) && !this.isTroubled) return "saved";
    const counts = this.evidence.peek();
    this.#sending({ fields, counts });
    this.onChange();
    let answer;
    try {
      answer = await this.#post(this.#body(fields, counts), { signal: AbortSignal.timeout(PATIENCE) });
      if (answer.status === 403) {
        answer = await this.#renewToken();
        if (answer.status === 200) answer = await this.#post(this.#body(fields, counts));
      }
    } catch {
      return this.#retry(navigator.onLine === false ? "offline" : "unreachable");
    }
    return this.#read(answer, { fields, counts });
  }

  #sending(sent) { this.unanswered = [...this.unanswered, sent].slice(-REMEMBERED); }

  async #read(answer, sent) {
    const body = await answer.json().catch(() => null);
    if (answer.status === 200 && body) return this.#stored(sent, body.version, body.saved_at);
    if (answer.status === 409) return this.#outdated(body.error.details);
    if (answer.status === 401) {
      this.#retry("signedOut");
      document.dispatchEvent(new Event("signed-out"));
      return "signedOut";
    }
    if (answer.status === 404) { this.#retry("notYours"); return "notYours"; }
    if ((answer.status === 400 || answer.status === 410) && body) {
      this.unanswered.pop();
      this.speech.trouble("refused", body.error.message);
      return "refused";
    }
    return this.#retry("unreachable");
  }

  #stored(sent, version, savedAt) {
    this.version = version;
    this.saved = sent.fields;
    this.unanswered = [];
    this.evidence.drop(sent.counts);
    this.#calm();
    this.speech.saved(savedAt);
    this.onChange();
    if (this.isDirty()) this.soon();
    return "saved";
  }

  // What is stored may be our own save, whose answer was lost: then go on from it.
  #outdated(stored) {
    const own = this.unanswered.find((sent) => same(sent.fields, stored.fields));
    this.#calm();
    if (own) {
      this.#stored(own, stored.version, stored.saved_at);
      return this.isDirty() ? this.#save() : "saved";
    }
    this.isHeld = true;
    this.unanswered = [];
    this.onConflict({ fields: stored.fields, version: stored.version });
    return "conflict";
  }

  #retry(trouble) {
    this.isTroubled = true;
    if (trouble === "signedOut") this.speech.kept();
    else this.speech.trouble(trouble);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(), this.wait);
    this.wait = Math.min(this.wait * 2, RETRY_LAST);
    return trouble === "offline" ? "unreachable" : trouble;
  }

  #calm() {
    const wasTroubled = this.isTroubled;
    this.isTroubled = false;
    this.wait = RETRY_FIRST;
    document.querySelector("#signed-out").hidden = true;
    this.speech.calm();
    if (wasTroubled) this.onBack();
  }

  // Signing in again, here or in another tab, makes the page's token stale: fetch a good one.
  async #renewToken() {
    const answer = await fetch(this.url, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    if (answer.status === 200) {
      const { csrf } = await answer.clone().json();
      for (const input of document.querySelectorAll("input[name=csrfmiddlewaretoken]")) input.value = csrf;
    }
    return answer;
  }

  async mend() {
    const answer = await this.#renewToken().catch(() => null);
    return answer?.status === 200;
  }

  // Ask whether the server responds and knows the writer before the form is sent.
  async #isThere() {
    const answer = await this.#renewToken().catch(() => null);
    if (!answer) return this.#retry(navigator.onLine === false ? "offline" : "unreachable");
    return answer.status === 200 ? "saved" : this.#read(answer);
  }

  #body(fields, counts = this.evidence.peek()) {
    return JSON.stringify({ fields, version: this.version, evidence: counts });
  }

  #post(body, options = {}) {
    const token = this.form.elements.namedItem("csrfmiddlewaretoken").value;
    const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
    return fetch(this.url, { method: "POST", headers, body, ...options });
  }
}
