// Single letters and digits press what they are printed on. Speech input and trembling hands press
// them unmeant, so each person can switch them off or choose others (WCAG 2.1.4); this browser keeps it.
(() => {
  "use strict";
  const NAME = "wino:keys";
  const FIELDS = "textarea, select, input:not([type=radio]):not([type=checkbox])";
  const root = document.documentElement;
  let chosen = read();

  function read() {
    try { return { isOff: false, keys: {}, ...JSON.parse(localStorage.getItem(NAME)) }; } catch { return { isOff: false, keys: {} }; }
  }

  function write() {
    try { localStorage.setItem(NAME, JSON.stringify(chosen)); } catch { /* it holds until the page is left */ }
    show();
  }

  const keyOf = (element) => chosen.keys[element.dataset.key] ?? element.dataset.key;
  const withKeys = () => [...document.querySelectorAll("[data-key]")];

  document.addEventListener("keydown", (event) => {
    if (chosen.isOff || panel?.open || document.querySelector("[data-settling]")) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest(FIELDS)) return;
    const pressed = event.key.toLowerCase();
    if (pressed === "?" && panel && !event.repeat) { event.preventDefault(); open(); return; }
    const target = withKeys().find((element) => keyOf(element) === pressed);
    if (!target || target.disabled || (event.repeat && !("repeats" in target.dataset))) return;
    event.preventDefault();
    target.click();
    if (target.matches("input, summary")) target.focus();
  });

  // -- what is printed follows what was chosen --------------------------------------------------------
  const labelled = (element) => (element.matches("input") ? element.closest("label") ?? element.labels?.[0] : element);
  const printed = (element) => labelled(element)?.querySelector("kbd:not(.combined)");

  function show() {
    root.classList.toggle("keys-off", chosen.isOff);
    if (panel) panel.querySelector("[data-keys-on]").checked = !chosen.isOff;
    for (const element of withKeys()) {
      const place = printed(element);
      if (place && place.textContent !== keyOf(element).toUpperCase()) place.textContent = keyOf(element).toUpperCase();
    }
  }

  // -- the list of a page's keys, where they can be changed ----------------------------------------------
  const panel = document.querySelector("[data-keys]");
  const list = panel?.querySelector("[data-keys-list]");

  function nameOf(element) {
    if (element.dataset.keyName) return element.dataset.keyName;
    const copy = (labelled(element) ?? element).cloneNode(true);
    for (const mark of copy.querySelectorAll("kbd, .unseen")) mark.remove();
    return (copy.textContent.trim() || element.getAttribute("aria-label") || "").replace(/\s+/g, " ");
  }

  function open() {
    fill();
    panel.showModal();
  }

  function fill() {
    const own = new Map(withKeys().filter((each) => each.checkVisibility()).map((each) => [each.dataset.key, each]));
    list.replaceChildren(...[...own].map(([key, element]) => line(key, nameOf(element))));
    const hints = [...document.querySelectorAll("main .keys-hint")].map((hint) => hint.cloneNode(true));
    for (const hint of hints) hint.className = "";
    panel.querySelector("[data-keys-hints]").replaceChildren(...hints);
    panel.querySelector("[data-keys-none]").hidden = own.size + hints.length > 0;
  }

  function line(key, name) {
    const label = document.createElement("label");
    const input = document.createElement("input");
    input.maxLength = 1;
    input.autocomplete = "off";
    input.value = (chosen.keys[key] ?? key).toUpperCase();
    input.addEventListener("change", () => change(key, input));
    label.append(input, ` ${name}`);
    return label;
  }

  // No two of a page have one key: the other gets the one that is given up.
  function change(key, input) {
    const wanted = input.value.trim().toLowerCase();
    const before = chosen.keys[key] ?? key;
    if (!/^[\p{L}\p{N}]$/u.test(wanted)) { input.value = before.toUpperCase(); return; }
    for (const other of new Set(withKeys().map((each) => each.dataset.key))) {
      if (other !== key && (chosen.keys[other] ?? other) === wanted) chosen.keys[other] = before;
    }
    chosen.keys[key] = wanted;
    write();
    fill();
  }

  document.querySelector("[data-keys-open]")?.addEventListener("click", open);
  panel?.querySelector("[data-keys-close]").addEventListener("click", () => panel.close());
  panel?.querySelector("[data-keys-on]").addEventListener("change", (event) => { chosen.isOff = !event.target.checked; write(); });
  panel?.querySelector("[data-keys-reset]").addEventListener("click", () => { chosen = { isOff: false, keys: {} }; write(); fill(); });
  addEventListener("storage", (event) => { if (event.key === NAME) { chosen = read(); show(); } });
  document.addEventListener("htmx:afterSwap", show);
  show();
})();
