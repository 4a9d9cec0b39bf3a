// Checks and advice while one types: asked of the server by htmx, put in quietly.
const ADVISE_AFTER = 1_200;
const ANNOUNCE_AFTER = 1_500;
const LOOK_AGAIN = [1_000, 2_000, 4_000, 8_000, 15_000]; // while a worker makes its guess

export class Live {
  constructor(form, speech, { onSilence, onAnswer }) {
    this.form = form;
    this.speech = speech;
    this.check = document.querySelector("#check");
    this.advice = document.querySelector("#advice");
    document.addEventListener("htmx:beforeSwap", (event) => this.#beforeSwap(event));
    document.addEventListener("htmx:oobBeforeSwap", (event) => skipUnchanged(event));
    document.addEventListener("htmx:afterSwap", (event) => { if (event.target === this.check) this.#announceSoon(); });
    document.addEventListener("htmx:sendError", onSilence);
    document.addEventListener("htmx:afterOnLoad", (event) => { if (event.detail.xhr.status === 200) onAnswer(); });
    document.addEventListener("guess-pending", () => this.#adviseAfter(this.pauses.shift()));
    this.onSilence = onSilence;
  }

  start() { this.recheck(); this.adviseSoon(); }

  recheck() { window.htmx?.trigger(this.check, "recheck"); }

  adviseSoon() {
    this.pauses = [...LOOK_AGAIN];
    clearTimeout(this.timer);
    if (isComplete(this.form)) this.#adviseAfter(ADVISE_AFTER);
  }

  #adviseAfter(pause) {
    clearTimeout(this.timer);
    if (pause) this.timer = setTimeout(() => window.htmx?.trigger(this.advice, "advise"), pause);
  }

  // A page that says "no" must not stand where the checks stand.
  #beforeSwap(event) {
    if (event.detail.xhr.status === 200) return;
    if (![this.check, this.advice].includes(event.detail.target)) return;
    event.detail.shouldSwap = false;
    if (event.detail.xhr.status === 403) document.dispatchEvent(new Event("desk:stale"));
    if (event.detail.xhr.status >= 500) this.onSilence();
  }

  #announceSoon() {
    clearTimeout(this.announcing);
    this.announcing = setTimeout(() => {
      this.speech.announce(document.querySelector("#check-summary").textContent.trim());
    }, ANNOUNCE_AFTER);
  }
}

// What has not changed stays as it is: no flicker, and nothing to read out again.
function skipUnchanged(event) {
  const plain = (element) => element.innerHTML.replace(/\s+/g, " ").trim();
  const holder = document.createElement("div");
  holder.append(...[...event.detail.fragment.childNodes].map((node) => node.cloneNode(true)));
  if (plain(holder) === plain(event.detail.target)) event.detail.shouldSwap = false;
}

function isComplete(form) {
  const values = new FormData(form);
  return ["sentence1", "sentence2", "option1", "option2", "answer1"].every((name) => (values.get(name) ?? "").trim())
    && ["sentence1", "sentence2"].every((name) => values.get(name).includes("_"));
}
