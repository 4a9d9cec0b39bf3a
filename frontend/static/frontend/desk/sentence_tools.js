// A button for the blank, which phones hide behind two keyboards, and options chosen by selecting
// their words in a sentence: typed once, they are the same everywhere.
export function sentenceTools(form) {
  for (const button of form.querySelectorAll("[data-blank], [data-choose]")) {
    // The field keeps the focus and its selection; a phone keeps its keyboard.
    button.addEventListener("pointerdown", (event) => event.preventDefault());
  }
  for (const button of form.querySelectorAll("[data-blank]")) {
    button.addEventListener("click", () => insertBlank(form.elements.namedItem(button.dataset.blank)));
  }
  for (const button of form.querySelectorAll("[data-choose]")) {
    const field = form.elements.namedItem(button.dataset.of);
    button.addEventListener("click", () => {
      const option = form.elements.namedItem(button.dataset.choose);
      option.value = selected(field);
      option.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }
  document.addEventListener("selectionchange", () => follow(form));
  form.addEventListener("select", () => follow(form));
  follow(form);
}

function follow(form) {
  for (const button of form.querySelectorAll("[data-choose]")) {
    button.disabled = !selected(form.elements.namedItem(button.dataset.of));
  }
}

function selected(field) {
  const words = field.value.slice(field.selectionStart, field.selectionEnd).trim();
  return words.length <= 120 && !words.includes("_") ? words : "";
}

function insertBlank(field) {
  const { selectionStart: start, selectionEnd: end, value } = field;
  const before = start > 0 && !/\s$/.test(value.slice(0, start)) ? " " : "";
  const after = /^[\p{L}\p{N}]/u.test(value.slice(end)) ? " " : "";
  field.setRangeText(`${before}_${after}`, start, end, "end");
  field.focus({ preventScroll: true });
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
