// Everything here is an extra: each page works without it.
(() => {
  "use strict";
  document.documentElement.classList.add("js");

  // Times are shown in the reader's zone from the next page on.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !document.cookie.includes(`tz=${zone}`)) {
    document.cookie = `tz=${zone};path=/;max-age=31536000;samesite=lax`;
  }

  const storage = {
    // A browser may refuse storage; then a draft simply is not kept.
    get(key) { try { return localStorage.getItem(key); } catch { return null; } },
    set(key, value) { try { localStorage.setItem(key, value); } catch { /* not kept */ } },
    remove(key) { try { localStorage.removeItem(key); } catch { /* not kept */ } },
  };

  // -- keys printed on buttons -------------------------------------------------------------------
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("[data-settling]")) return;
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("textarea, select, input:not([type=radio]):not([type=checkbox])")) return;
    const target = document.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
    if (!target || target.disabled) return;
    event.preventDefault();
    target.click();
    if (target.matches("input")) target.focus();
  });

  // -- a writer's draft --------------------------------------------------------------------------
  const form = document.querySelector("form[data-draft]");
  const key = (id) => `wino:draft:${id}`;

  const forgotten = document.querySelector("[data-forget]");
  if (forgotten) storage.remove(key(forgotten.dataset.forget));

  function save() {
    const values = {};
    for (const [name, value] of new FormData(form)) {
      if (name !== "csrfmiddlewaretoken" && name !== "client_key") values[name] = value;
    }
    storage.set(key(form.dataset.draft), JSON.stringify(values));
  }

  function restore() {
    let values;
    try { values = JSON.parse(storage.get(key(form.dataset.draft))); } catch { values = null; }
    if (!values) return;
    for (const [name, value] of Object.entries(values)) {
      const field = form.elements.namedItem(name);
      if (field) field.value = value;
    }
    const note = document.querySelector("#draft-note");
    if (note && Object.values(values).some(Boolean)) note.textContent = note.dataset.restored;
  }

  function mirror() {
    for (const place of document.querySelectorAll("[data-mirror]")) {
      place.textContent = form.elements.namedItem(place.dataset.mirror).value.trim();
    }
    const answer = form.elements.namedItem("answer1").value;
    const other = document.querySelector("#other-answer");
    const name = answer === "1" ? "option2" : "option1";
    other.textContent = answer
      ? `${other.dataset[name]}: ${form.elements.namedItem(name).value.trim() || "…"}`
      : other.dataset.none;
    showAnchor();
  }

  function showAnchor() {
    const anchor = form.elements.namedItem("anchor").value.trim().toLowerCase();
    for (const chip of document.querySelectorAll(".chip")) {
      const isPicked = chip.dataset.value.toLowerCase() === anchor;
      chip.setAttribute("aria-pressed", isPicked);
      if (isPicked) document.querySelector("#anchor-sentence").textContent = `“${chip.dataset.sentence}”`;
    }
    for (const place of document.querySelectorAll(".anchor")) {
      place.classList.toggle("picked", place.dataset.anchor === anchor);
    }
  }

  // What was missing is no longer marked once it is there.
  function unmark(name) {
    const value = new FormData(form).get(name);
    if (!name || !value || !value.trim()) return;
    for (const mark of form.querySelectorAll(`[data-error="${CSS.escape(name)}"]`)) mark.remove();
    const field = form.elements.namedItem(name);
    if (field instanceof Element) field.removeAttribute("aria-invalid");
    if (!form.querySelector("[data-error]")) form.querySelector("[data-while-errors]")?.remove();
  }

  if (form) {
    if (!("bound" in form.dataset)) restore();
    form.addEventListener("input", (event) => { save(); mirror(); unmark(event.target.name); });
    for (const chip of document.querySelectorAll(".chip")) {
      chip.addEventListener("click", () => {
        const anchor = form.elements.namedItem("anchor");
        anchor.value = chip.dataset.value;
        anchor.dispatchEvent(new Event("input", { bubbles: true }));
      });
    }
    // A sentence is one line: Enter in it would only add a line break that nobody wants.
    for (const area of form.querySelectorAll("textarea")) {
      area.addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); });
    }
    mirror();
    // The check runs once htmx listens.
    window.addEventListener("load", () => {
      for (const mark of form.querySelectorAll("[data-error]")) unmark(mark.dataset.error);
      if (new FormData(form).get("sentence1")) form.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }

  // What was refused comes first: on a phone it may stand below the article.
  document.querySelector("[data-focus-now]")?.focus();

  // -- what cannot be undone is asked twice ------------------------------------------------------
  document.addEventListener("submit", (event) => {
    const question = event.target.dataset.confirm;
    if (question && !window.confirm(question)) event.preventDefault();
  });

  // -- copy a token ------------------------------------------------------------------------------
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    navigator.clipboard?.writeText(document.querySelector(button.dataset.copy).textContent)
      .then(() => { button.textContent = button.dataset.done; });
  });

  // A key meant for the step before must not answer the one that has just come.
  const SETTLES_AFTER = 300; // milliseconds
  function settle(place) {
    if (place.id !== "question") return;
    place.dataset.settling = "";
    clearTimeout(settle.timer);
    settle.timer = setTimeout(() => delete place.dataset.settling, SETTLES_AFTER);
  }

  // -- htmx --------------------------------------------------------------------------------------
  const notice = document.querySelector("#connection");
  const say = (isBroken) => { notice.hidden = !isBroken; };
  document.addEventListener("htmx:sendError", () => say(true));
  document.addEventListener("htmx:responseError", () => say(true));
  document.addEventListener("htmx:afterOnLoad", () => say(false));
  const signedOut = document.querySelector("#signed-out");
  document.addEventListener("signed-out", () => {
    signedOut.querySelector("[data-text-kept]").hidden = !form;
    signedOut.hidden = false;
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    settle(event.target);
    // A new question takes the focus, so that keys and screen readers start there.
    event.target.querySelector?.("[data-focus]")?.focus({ preventScroll: true });
  });
})();
