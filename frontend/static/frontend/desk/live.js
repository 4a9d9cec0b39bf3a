// Checks and advice while one types: asked of the server by htmx, put in quietly.
const ADVISE_AFTER = 1_200;
const ANNOUNCE_AFTER = 1_500;

export class Live {
  constructor(form, speech, { onSilence, onAnswer }) {
    this.form = form;
    this.speech = speech;
    this.check = document.querySelector("#check");
    this.advice = document.querySelector("#advice");
    document.addEventListener("htmx:beforeSwap", (event) => this.#beforeSwap(event));
    document.addEventListener("htmx:oobBeforeSwap", (event) => this.#beforePart(event));
    document.addEventListener("htmx:afterSwap", (event) => {
      if (event.target === this.check) this.#checked();
      if (event.target === this.advice) this.#announceSoon();
    });
    document.addEventListener("htmx:sendError", (event) => {
      if (event.target === this.check) this.#outdated(true);
      onSilence();
    });
    document.addEventListener("htmx:afterOnLoad", (event) => {
      if (event.detail.xhr.status !== 200) return;
      this.isMended = false;
      onAnswer();
    });
    this.onSilence = onSilence;
  }

  start() { this.recheck(); this.adviseSoon(); }

  recheck() { window.htmx?.trigger(this.check, "recheck"); }

  // Advice on a text that is no longer there is neither waited for nor left standing.
  adviseSoon() {
    clearTimeout(this.timer);
    window.htmx?.trigger(this.advice, "htmx:abort");
    const isShown = this.advice.querySelector(".checklist, .state");
    if (!isShown && !isComplete(this.form)) return;
    this.timer = setTimeout(() => window.htmx?.trigger(this.advice, "advise"), ADVISE_AFTER);
  }

  // A page that says "no" must not stand where the checks stand.
  #beforeSwap(event) {
    if (event.detail.xhr.status === 200) return;
    if (![this.check, this.advice].includes(event.detail.target)) return;
    event.detail.shouldSwap = false;
    if (event.detail.xhr.status === 403) this.#mend();
    if (event.detail.xhr.status >= 500) {
      if (event.detail.target === this.check) this.#outdated(true);
      this.onSilence();
    }
  }

  // Once until the server answers: what a valid token does not solve would be requested endlessly.
  #mend() {
    if (this.isMended) return;
    this.isMended = true;
    document.dispatchEvent(new Event("desk:stale"));
  }

  #outdated(isSo) {
    for (const note of document.querySelectorAll("[data-outdated]")) note.hidden = !isSo;
  }

  #beforePart(event) {
    const part = event.detail.target;
    if (isUnchanged(event.detail.fragment, part)) event.detail.shouldSwap = false;
    else if (part.contains(document.activeElement)) this.left = document.activeElement.dataset.place;
  }

  #checked() {
    this.#outdated(false);
    this.#dropMended();
    if (this.left) this.#findAgain(this.left);
    this.left = null;
    this.#announceSoon();
  }

  // Of the findings of a refusal those stay that the checks still name.
  #dropMended() {
    const remarks = (place) => [...place.querySelectorAll(".remark a")];
    const open = new Set(remarks(this.check).map((link) => link.textContent));
    for (const link of remarks(document.querySelector("#broken-rules"))) {
      if (!open.has(link.textContent)) link.closest("[data-finding]").remove();
    }
  }

  // A keyboard user who was among the remarks stays there, not at the start of the page.
  #findAgain(place) {
    const link = this.check.querySelector(`[data-place="${CSS.escape(place)}"]`);
    (link ?? document.querySelector("#check-title")).focus({ preventScroll: true });
  }

  #announceSoon() {
    clearTimeout(this.announcing);
    this.announcing = setTimeout(() => {
      this.speech.announce(document.querySelector(".desk-line").innerText.replace(/\s+/g, " ").trim());
    }, ANNOUNCE_AFTER);
  }
}

// What has not changed stays as it is: no flicker, and nothing to read out again.
function isUnchanged(fragment, part) {
  const plain = (element) => element.innerHTML.replace(/\s+/g, " ").trim();
  const holder = document.createElement("div");
  holder.append(...[...fragment.childNodes].map((node) => node.cloneNode(true)));
  return plain(holder) === plain(part);
}

function isComplete(form) {
  const values = new FormData(form);
  return ["sentence1", "sentence2", "option1", "option2", "answer1"].every((name) => (values.get(name) ?? "").trim())
    && ["sentence1", "sentence2"].every((name) => values.get(name).includes("_"));
}
