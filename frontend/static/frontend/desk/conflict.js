import { hasText } from "./fields.js";

const SHOWN = ["sentence1", "sentence2", "option1", "option2", "anchor"];

// Two versions of one text: the writer chooses, and the one not chosen is kept all the same.
export class Conflict {
  constructor({ fields, saver, speech, onChange }) {
    Object.assign(this, { fields, saver, speech, onChange });
    this.notice = document.querySelector("#conflict");
    this.quiet = document.querySelector("#other-kept");
    this.other = null;
    document.addEventListener("click", (event) => {
      const button = event.target.closest("[data-keep]");
      if (button) this.#choose(button.dataset.keep);
    });
  }

  // other: the fields alone, or {fields, version} of what the server holds.
  ask(other) {
    this.other = other.fields ?? other;
    this.version = other.version;
    this.saver.isHeld = true;
    const list = this.notice.querySelector("dl");
    list.replaceChildren(...SHOWN.filter((name) => this.other[name]).map((name) => line(this.fields.form, name, this.other[name])));
    this.notice.hidden = false;
    this.quiet.hidden = true;
    this.speech.trouble("versions"); // the notice may be out of sight
    this.onChange();
  }

  show() {
    this.notice.focus({ preventScroll: true });
    this.notice.scrollIntoView({ block: "center" });
  }

  keep(other) {
    this.other = other && hasText(other) ? other : null;
    this.quiet.hidden = !this.other;
  }

  #choose(which) {
    const mine = this.fields.read();
    const other = this.other;
    if (which !== "mine") {
      this.fields.write(other);
      this.keep(mine);
    } else {
      this.keep(other);
    }
    this.notice.hidden = true;
    if (this.saver.isHeld) this.speech.calm();
    this.onChange();
    this.saver.resume(this.version);
    this.version = undefined;
    this.fields.form.querySelector("#id_sentence1").focus();
  }
}

function line(form, name, text) {
  const label = form.querySelector(`label[for=id_${name}]`).firstChild.textContent.trim();
  const group = document.createElement("div");
  const term = document.createElement("dt");
  const words = document.createElement("dd");
  term.textContent = label;
  words.textContent = text;
  group.append(term, words);
  return group;
}
