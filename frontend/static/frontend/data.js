// The Data tab: filters apply at once, and the list is worked by keyboard. Without it, forms do all.
const view = document.querySelector("[data-view]");
const list = document.querySelector("[data-list]");
const rows = [...document.querySelectorAll("[data-row]")];
let at = -1;

// An address is shared, so it has only what was chosen.
view?.addEventListener("submit", () => {
  for (const field of view.querySelectorAll("input, select")) {
    field.disabled ||= field.value === "" || (field.name === "sort" && field.selectedIndex === 0);
  }
  const columns = [...view.querySelectorAll("[name=columns]")];
  if (columns.every((box) => box.checked === box.defaultChecked) && !/[?&]columns=/.test(location.search)) {
    for (const box of columns) box.disabled = true;
  }
});
// The browser may show the page again as it was left.
addEventListener("pageshow", () => {
  for (const field of view?.querySelectorAll("input, select") ?? []) field.disabled = false;
});
view?.addEventListener("change", (event) => {
  if (event.target.matches("[type=checkbox], select")) view.requestSubmit();
});
if (matchMedia("(min-width: 70rem)").matches) {
  for (const panel of document.querySelectorAll("[data-wide-open]")) panel.open = true;
}

const boxOf = (row) => row.querySelector("[name=id]");
const all = document.querySelector("[data-select-all]");
all?.addEventListener("change", () => { for (const row of rows) boxOf(row).checked = all.checked; });

function go(to) {
  at = Math.max(0, Math.min(rows.length - 1, to));
  rows[at].querySelector("a").focus({ preventScroll: true });
  rows[at].scrollIntoView({ block: "nearest" });
}
const KEYS = {
  j: () => go(at + 1),
  k: () => go(at - 1),
  x: () => { if (rows[at]) boxOf(rows[at]).checked = !boxOf(rows[at]).checked; },
  a: () => all.click(),
};
document.addEventListener("focusin", (event) => {
  const row = event.target.closest("[data-row]");
  if (row) at = rows.indexOf(row);
});
document.addEventListener("keydown", (event) => {
  if (event.repeat && !"jk".includes(event.key)) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && event.target.matches("input")) event.target.blur();
  if (event.target.closest("textarea, select, input:not([type=checkbox])")) return;
  if (!rows.length || !KEYS[event.key] || document.documentElement.classList.contains("keys-off")) return;
  event.preventDefault();
  KEYS[event.key]();
});

// A second click does nothing on the server; here it is not even sent.
document.addEventListener("submit", (event) => {
  const button = event.target.querySelector("[data-once]");
  if (button) setTimeout(() => { button.disabled = true; });
});
// What is left of a long action goes on by itself.
document.querySelector("[data-continue]")?.requestSubmit();
