// Everything here is an extra: each page works without it.
(() => {
  "use strict";
  document.documentElement.classList.add("js");

  // Times are shown in the reader's zone from the next page on.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !document.cookie.includes(`tz=${zone}`)) {
    document.cookie = `tz=${zone};path=/;max-age=31536000;samesite=lax`;
  }

  // -- keys printed on buttons -------------------------------------------------------------------
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("[data-settling]")) return;
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("textarea, select, input:not([type=radio]):not([type=checkbox])")) return;
    const target = document.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
    if (!target || target.disabled) return;
    event.preventDefault();
    target.click();
    if (target.matches("input, summary")) target.focus();
  });

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

  // What was refused comes first: on a phone it may stand below the article.
  document.querySelector("[data-focus-now]")?.focus();

  // -- the current tab, where a phone shows only some of them ---------------------------------------
  const tabs = document.querySelector(".sub-nav");
  const tab = tabs?.querySelector("[aria-current]");
  if (tab) tabs.scrollLeft = tab.offsetLeft - (tabs.clientWidth - tab.offsetWidth) / 2;

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
  document.addEventListener("htmx:afterSwap", (event) => {
    settle(event.target);
    // A new question takes the focus, so that keys and screen readers start there.
    event.target.querySelector?.("[data-focus]")?.focus({ preventScroll: true });
  });
})();
