import { followAnchor } from "./form.js";

// A remark leads to the words that it is about; chips and keys lead to fields.
export function goToPlaces(form) {
  form.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-place]");
    if (!link) return;
    event.preventDefault();
    const field = form.querySelector(`#id_${link.dataset.place}`);
    field.focus({ preventScroll: true });
    if (link.dataset.start) select(field, Number(link.dataset.start), Number(link.dataset.end));
    field.scrollIntoView({ block: "center" });
  });
  const place = form.querySelector("#anchor-sentence");
  for (const chip of form.querySelectorAll(".chip")) {
    chip.addEventListener("click", () => pick(form, chip));
    chip.disabled = false; // until now a click would have been lost
    for (const name of ["pointerenter", "focus"]) {
      chip.addEventListener(name, () => { place.textContent = `“${chip.dataset.sentence}”`; });
    }
    for (const name of ["pointerleave", "blur"]) chip.addEventListener(name, () => followAnchor(form));
  }
  // The same words in the article, for the mouse; the keyboard has the chips.
  for (const word of document.querySelectorAll(".article-text .anchor")) {
    word.addEventListener("click", () => {
      const chip = [...form.querySelectorAll(".chip")].find((each) => each.dataset.value.toLowerCase() === word.dataset.anchor);
      if (chip) pick(form, chip);
      else set(form, "anchor", word.textContent);
    });
  }
}

// Twins share most of their words: the second sentence may begin as a copy of the first.
export function copiesFirst(form) {
  const button = form.querySelector("#copy-first");
  const show = () => {
    button.hidden = !form.elements.namedItem("sentence1").value.trim() || form.elements.namedItem("sentence2").value !== "";
  };
  button.addEventListener("click", () => {
    set(form, "sentence2", form.elements.namedItem("sentence1").value);
    form.querySelector("#id_sentence2").focus();
  });
  form.addEventListener("input", show);
  show();
}

function set(form, name, value) {
  const field = form.elements.namedItem(name);
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function pick(form, chip) {
  if ("usedUp" in chip.dataset) {
    form.querySelector("#anchor-sentence").textContent = form.querySelector("#anchor-sentence").dataset.usedUp;
    return;
  }
  set(form, "anchor", chip.dataset.value);
}

// The checker counts characters of the sentence with single spaces; a field may have more.
function select(field, start, end) {
  const places = checkedPlaces(field.value);
  const last = places.length ? places[places.length - 1] : { from: 0, to: 0 };
  const from = start < places.length ? places[start].from : last.to;
  const to = end > 0 && end <= places.length ? places[end - 1].to : last.to;
  field.setSelectionRange(from, Math.max(from, to));
}

function checkedPlaces(text) {
  const places = [];
  let at = 0;
  for (const character of text) { // by code point, as the checker counts
    const from = at;
    at += character.length;
    if (!/\s/u.test(character)) { places.push({ from, to: at }); continue; }
    const previous = places[places.length - 1];
    if (previous && previous.isSpace) previous.to = at;
    else if (previous) places.push({ from, to: at, isSpace: true });
  }
  return places;
}

// Enter would add a line break to a sentence, or send a form that is not finished. Esc leaves the
// field, so that the printed keys count.
export function keysOfFields(form) {
  form.addEventListener("keydown", (event) => {
    const isText = event.target.matches("textarea, input:not([type=radio])");
    if (!isText || event.isComposing) return;
    if (event.key === "Enter") event.preventDefault();
    if (event.key === "Escape") {
      event.target.blur();
      document.querySelector("#check-title").focus({ preventScroll: true });
    }
  });
}
