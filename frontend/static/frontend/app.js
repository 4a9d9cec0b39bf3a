// Everything here is an extra: each page works without it.
(() => {
  "use strict";
  document.documentElement.classList.add("js");

  // Times are shown in the reader's zone from the next page on.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !document.cookie.includes(`tz=${zone}`)) {
    document.cookie = `tz=${zone};path=/;max-age=31536000;samesite=lax`;
  }

  // -- Esc leaves a field, Ctrl+Enter sends its form ---------------------------------------------------
  document.addEventListener("keydown", (event) => {
    const field = event.target.closest("textarea, input, select");
    if (!field) return;
    if (event.key === "Escape") field.blur();
    if (event.key !== "Enter" || !field.form) return;
    // In a form whose buttons are answers, Enter alone must not give the first of them.
    if (field.matches("input") && field.form.querySelector("[data-no-default]")) event.preventDefault();
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    field.form.requestSubmit(sender(field.form));
  });

  // Of several buttons, the one for a form with a box checked, or the one for a form without.
  function sender(form) {
    const isChecked = form.querySelector("[type=checkbox]:checked") !== null;
    return form.querySelector(isChecked ? '[data-send="checked"]' : '[data-send=""]');
  }

  // -- what was handed in is kept by the server: its text leaves this browser ----------------------
  const forgotten = document.querySelector("[data-forget]");
  if (forgotten) forget(`wino:draft:${forgotten.dataset.forget}:`, forgotten.dataset.forgetKey);

  function forget(prefix, clientKey) {
    try {
      for (const key of Object.keys(localStorage).filter((name) => name.startsWith(prefix))) {
        const entry = JSON.parse(localStorage.getItem(key));
        if (entry?.fields?.client_key === clientKey) localStorage.removeItem(key);
      }
    } catch { /* a browser may refuse storage; then nothing is in it */ }
  }

  // What was refused comes first: its field, or else what is said about it.
  const wrong = document.querySelector("main form:not([data-desk]) [aria-invalid=true]:not([type=hidden])");
  const first = wrong ?? document.querySelector("[data-focus-now]");
  first?.focus({ preventScroll: true });
  first?.scrollIntoView({ block: "center" });

  // -- a success is said until it is no longer true ----------------------------------------------------
  // The end of another job does not take away the link to the starter campaign.
  const dropSuccess = () => document.querySelectorAll("main > .notice-success:not(#starter)").forEach((each) => each.remove());
  document.querySelector("main")?.addEventListener("input", dropSuccess);
  // What was begun has ended: its part of the page asks no more.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const isPolled = event.detail.target.matches?.("[hx-trigger^=every]");
    if (isPolled && !event.detail.serverResponse.includes("hx-trigger=\"every")) dropSuccess();
  });

  // -- what was typed before the scripts came, or the browser restored, is checked too ----------------
  const FIELDS = "input, textarea, select";
  document.addEventListener("htmx:load", (event) => {
    if (event.target !== document.body) return;
    for (const place of document.querySelectorAll("[hx-trigger^=input], [hx-trigger^=change]")) {
      const kind = place.matches("[hx-trigger^=change]") ? "change" : "input";
      const fields = place.matches(FIELDS) ? [place] : [...place.querySelectorAll(FIELDS)];
      fields.find(isEdited)?.dispatchEvent(new Event(kind, { bubbles: true }));
    }
  });

  function isEdited(field) {
    if (!field.matches("select")) return field.checked !== field.defaultChecked || field.value !== field.defaultValue;
    if (!field.multiple && !field.querySelector("option[selected]")) return field.selectedIndex > 0;
    return [...field.options].some((each) => each.selected !== each.defaultSelected);
  }

  // -- a part that is replaced every few seconds ---------------------------------------------------
  // It stays while something in it is being edited; else what has the focus in it has it afterwards.
  const EDITED = ".keep[open], textarea:focus, select:focus, input:not([type=hidden]):focus";
  let focused = null;
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target: place, requestConfig } = event.detail;
    focused = null;
    if (!requestConfig.elt.matches?.("[hx-trigger^=every]")) return;
    if (place.querySelector(EDITED)) event.detail.shouldSwap = false;
    else if (place.contains(document.activeElement)) focused = traceOf(document.activeElement);
  });
  document.addEventListener("htmx:afterSwap", () => {
    if (focused && document.activeElement === document.body) find(focused)?.focus({ preventScroll: true });
    focused = null;
  });

  // What was opened or folded stays so in the part that replaces it.
  const folds = new Map();
  document.addEventListener("toggle", ({ target }) => {
    if (target.matches?.("details.fold[id]")) folds.set(target.id, target.open);
  }, true);
  document.addEventListener("htmx:afterSwap", () => {
    for (const [id, isOpen] of folds) {
      const fold = document.getElementById(id);
      if (fold) fold.open = isOpen;
    }
  });

  // An element is known again by its kind and name, and by its place among those of the same name.
  function traceOf(element) {
    const trace = { kind: element.localName, name: nameOf(element) };
    return { ...trace, number: named(trace).indexOf(element) };
  }

  function nameOf(element) {
    const own = element.id || element.getAttribute("href") || element.getAttribute("name")
      || element.getAttribute("aria-label") || element.textContent.trim();
    return `${element.form?.getAttribute("action") ?? ""} ${own}`;
  }

  const named = ({ kind, name }) => [...document.querySelectorAll(kind)].filter((each) => nameOf(each) === name);

  function find(trace) {
    const alike = named(trace);
    return alike[trace.number] ?? alike.at(-1);
  }

  // -- theme -------------------------------------------------------------------------------------
  const root = document.documentElement;
  const choices = document.querySelectorAll("[data-theme-choice]");
  const showTheme = () => choices.forEach((each) =>
    each.setAttribute("aria-pressed", String(each.dataset.themeChoice === (root.dataset.theme ?? ""))));
  choices.forEach((each) => each.addEventListener("click", () => {
    const theme = each.dataset.themeChoice;
    document.cookie = `theme=${theme};path=/;max-age=${theme ? 31536000 : 0};samesite=lax`;
    if (theme) root.dataset.theme = theme; else delete root.dataset.theme;
    showTheme();
    document.dispatchEvent(new Event("theme"));
  }));
  showTheme();

  // -- the current tab, where a phone shows only some of them ---------------------------------------
  for (const tab of document.querySelectorAll(".top nav [aria-current], .sub-nav [aria-current]")) {
    const tabs = tab.closest("nav");
    tabs.scrollLeft = tab.offsetLeft - (tabs.clientWidth - tab.offsetWidth) / 2;
  }

  // -- what cannot be undone is asked twice ------------------------------------------------------
  document.addEventListener("submit", (event) => {
    const question = event.target.dataset.confirm;
    if (question && !window.confirm(question)) {
      event.preventDefault();
      return;
    }
    // A second click does nothing on the server; here it is not even sent.
    const button = event.target.querySelector("[data-once]");
    if (button) setTimeout(() => { button.disabled = true; });
  });

  // -- copy a token or an id ---------------------------------------------------------------------
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy], [data-copy-text]");
    if (!button) return;
    const text = button.dataset.copyText ?? document.querySelector(button.dataset.copy).textContent;
    navigator.clipboard?.writeText(text)
      .then(() => { button.textContent = button.dataset.done; });
  });

  // -- how long something is still the reader's, by the server's clock --------------------------------
  for (const place of document.querySelectorAll("[data-seconds-left]")) {
    const endsAt = Date.now() + 1000 * Number(place.dataset.secondsLeft);
    const count = () => {
      // Whole minutes only: a clock that runs hurries.
      const minutes = Math.ceil((endsAt - Date.now()) / 60_000);
      const words = minutes === 1 ? place.dataset.one : place.dataset.many.replace("{n}", minutes);
      place.textContent = minutes > 0 ? ` · ${words}` : "";
    };
    count();
    setInterval(count, 5_000);
  }

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
  const desk = document.querySelector("form[data-desk]"); // says for itself what goes on
  const say = (isBroken) => { if (!desk) notice.hidden = !isBroken; };
  document.addEventListener("htmx:sendError", () => say(true));
  document.addEventListener("htmx:responseError", () => say(true));
  document.addEventListener("htmx:afterOnLoad", () => say(false));
  addEventListener("online", () => say(false));
  const signedOut = document.querySelector("#signed-out");
  document.addEventListener("signed-out", () => {
    signedOut.querySelector("[data-text-kept]").hidden = !desk;
    signedOut.hidden = false;
  });
  // The page was opened before a sign-in in another tab: with a valid token it can be sent again.
  // The page in a platform's frame has no forms of ours, and so no such notice.
  const stale = document.querySelector("#stale-page");
  document.addEventListener("stale-page", (event) => {
    const tokens = document.querySelectorAll("input[name=csrfmiddlewaretoken]");
    for (const input of tokens) input.value = event.detail.token;
    if (!desk) stale.hidden = false;
  });
  document.addEventListener("htmx:afterOnLoad", (event) => {
    if (stale && event.detail.xhr.status < 400) stale.hidden = true;
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    settle(event.target);
    // A new question takes the focus, so that keys and screen readers start there.
    event.target.querySelector?.("[data-focus]")?.focus({ preventScroll: true });
  });
})();
