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
  showSelection();
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

// Buttons that need a selection are off without one. Without this script the server asks for it.
const selected = document.querySelector("[data-selected]");

function showSelection() {
  if (!list) return;
  const n = rows.filter((row) => boxOf(row).checked).length;
  const isWhole = list.querySelector("[name=all]").checked;
  for (const button of list.querySelectorAll("[data-of-selection]")) {
    button.disabled = button.dataset.ofSelection === "rows" ? !n : !n && !isWhole;
  }
  if (!selected) return;
  const { none, some, whole } = selected.dataset;
  const said = isWhole ? whole : n ? `${some} ${n}` : none;
  if (selected.textContent !== said) selected.textContent = said;
}
list?.addEventListener("change", showSelection);
showSelection();

function go(to) {
  at = Math.max(0, Math.min(rows.length - 1, to));
  linkOf(rows[at]).focus({ preventScroll: true });
  rows[at].scrollIntoView({ block: "nearest" });
  if (isOpen()) open(rows[at]);
}

// The preview: beside the list, while the focus stays in the list. Links do the same without it.
const place = document.getElementById("preview-place");
const linkOf = (row) => row.querySelector("[data-opens]");
const isOpen = () => Boolean(place?.querySelector("#preview"));
let wanted = "";

async function open(row) {
  const address = linkOf(row).href.split("#")[0];
  if (wanted === address && isOpen()) { place.querySelector("#preview").focus(); return; }
  wanted = address;
  const answer = await fetch(address, { headers: { "HX-Request": "true" } }).catch(() => null);
  const text = await answer?.text().catch(() => "");
  if (wanted !== address) return; // another row since
  // A page without a preview, such as that of the sign-in, is opened whole.
  if (!answer?.ok || !text.includes('id="preview"')) { location.assign(linkOf(row).href); return; }
  place.innerHTML = text;
  window.htmx?.process(place);
  document.dispatchEvent(new Event("htmx:afterSwap"));
  history.replaceState(history.state, "", address);
  mark(row);
}

function close() {
  if (!isOpen()) return;
  const shown = rows.find((row) => row.classList.contains("is-shown"));
  wanted = "";
  place.replaceChildren();
  mark(null);
  history.replaceState(history.state, "", place.dataset.close);
  if (shown) linkOf(shown).focus();
}

function mark(shown) {
  for (const row of rows) {
    row.classList.toggle("is-shown", row === shown);
    if (row === shown) linkOf(row).setAttribute("aria-current", "true");
    else linkOf(row).removeAttribute("aria-current");
  }
}

if (place) {
  const shown = rows.find((row) => row.classList.contains("is-shown"));
  if (shown) { at = rows.indexOf(shown); wanted = linkOf(shown).href.split("#")[0]; }
}
document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button) return;
  const link = event.target.closest("[data-opens], [data-closes]");
  if (!link) return;
  event.preventDefault();
  if (link.matches("[data-closes]")) close();
  else open(link.closest("[data-row]"));
});
// Arrows move in the list only while the focus is in it; elsewhere they scroll.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.key === "Escape" && !event.target.closest("input:not([type=checkbox]), select")) close();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || !event.target.closest("[data-row]")) return;
  event.preventDefault();
  go(at + step);
});
// Buttons with keys, which `keys.js` presses: so each person can change them.
const ACTS = {
  next: () => go(at + 1),
  previous: () => go(at - 1),
  select: () => { if (rows[at]) boxOf(rows[at]).click(); },
};
for (const button of document.querySelectorAll("[data-act]")) {
  button.addEventListener("click", () => { if (rows.length) ACTS[button.dataset.act](); });
}
document.addEventListener("focusin", (event) => {
  const row = event.target.closest("[data-row]");
  if (row) at = rows.indexOf(row);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target.matches("input")) event.target.blur();
});

// What is left of a long action goes on by itself.
document.querySelector("[data-continue]")?.requestSubmit();
