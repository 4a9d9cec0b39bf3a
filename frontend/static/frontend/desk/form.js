// What one part of the form says about another.
export function followChoices(form) {
  const arePeople = new FormData(form).get("domain") === "social";
  for (const name of ["option1", "option2"]) {
    form.elements.namedItem(name).setAttribute("autocapitalize", arePeople ? "words" : "none");
  }
  for (const place of form.querySelectorAll("[data-mirror]")) {
    place.textContent = form.elements.namedItem(place.dataset.mirror).value.trim();
  }
  const answer = form.elements.namedItem("answer1").value;
  const other = form.querySelector("#other-answer");
  const name = answer === "1" ? "option2" : "option1";
  other.textContent = answer
    ? `${other.dataset[name]}: ${form.elements.namedItem(name).value.trim() || "…"}`
    : other.dataset.none;
}

export function followAnchor(form) {
  const anchor = form.elements.namedItem("anchor").value.trim().toLowerCase();
  const place = form.querySelector("#anchor-sentence");
  let words = "";
  for (const chip of form.querySelectorAll(".chip")) {
    const isPicked = chip.dataset.value.toLowerCase() === anchor;
    chip.setAttribute("aria-pressed", isPicked);
    if (isPicked) words = "usedUp" in chip.dataset ? place.dataset.usedUp : `“${chip.dataset.sentence}”`;
  }
  if (place.textContent !== words) place.textContent = words;
  for (const mark of document.querySelectorAll(".anchor")) {
    mark.classList.toggle("picked", mark.dataset.anchor === anchor);
  }
}

// What was missing is no longer marked once it is there.
export function unmarkFilled(form, name) {
  const value = new FormData(form).get(name);
  if (!name || !value || !value.trim()) return;
  for (const mark of form.querySelectorAll(`[data-error="${CSS.escape(name)}"]`)) mark.remove();
  form.querySelector(`[data-named="${CSS.escape(name)}"]`)?.remove();
  const field = form.elements.namedItem(name);
  if (field instanceof Element) field.removeAttribute("aria-invalid");
  if (!form.querySelector("[data-error]")) form.querySelector("[data-while-errors]")?.remove();
}
