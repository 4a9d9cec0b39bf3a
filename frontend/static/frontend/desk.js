// The writing desk: without it the form still checks, submits and keeps drafts on the server.
import { Conflict } from "./desk/conflict.js";
import { Evidence } from "./desk/evidence.js";
import { Fields, hasText, same } from "./desk/fields.js";
import { followAnchor, followChoices, unmarkFilled } from "./desk/form.js";
import { searchableTable } from "./desk/helper.js";
import { Live } from "./desk/live.js";
import { copiesFirst, goToPlaces, keysOfFields } from "./desk/places.js";
import { placeArticle } from "./desk/phone.js";
import { reconcile } from "./desk/reconcile.js";
import { sentenceTools } from "./desk/sentence_tools.js";
import { Saver } from "./desk/saver.js";
import { Speech } from "./desk/speech.js";
import { Store } from "./desk/store.js";

const form = document.querySelector("form[data-desk]");
const draftVersion = form.elements.namedItem("draft_version"); // sent along with the form
const server = JSON.parse(document.querySelector("#desk-saved").textContent);
const fields = new Fields(form);
const store = new Store(form.dataset.desk);
const speech = new Speech();
const live = new Live(form, speech, {
  onSilence: () => saver.doubt(),
  onAnswer: () => { if (saver.isTroubled) saver.now(); },
});
const shown = start();
const evidence = new Evidence(form, {
  isPasteBlocked: form.dataset.paste === "block",
  counts: shown.evidence,
  onBlocked: () => speech.note("paste"),
});
const saver = new Saver({
  url: form.dataset.draftUrl, fields, evidence, speech, form, version: shown.version,
  onChange: remember,
  onConflict: (other) => conflict.ask(other),
  onBack: () => live.recheck(),
});
const conflict = new Conflict({ fields, saver, speech, onChange: () => { refresh(); remember(); } });

// What this page shows: what the server holds, or what the browser has that is newer.
function start() {
  const entries = store.others();
  if ("bound" in form.dataset) return startRefused(entries);
  const [served, typed] = [fields.served(), fields.read()];
  // Some type before this script has come.
  const early = { fields: typed, version: server.version, isDirty: true, at: Date.now() };
  return reconcile({ server, entries: same(typed, served) ? entries : [early, ...entries], page: served });
}

// A refused submission shows what was posted, which a newer text may have overtaken.
function startRefused(entries) {
  // Reloading the page then asks for the newest text instead of posting the refused one again.
  history.replaceState(history.state, "", form.dataset.bound);
  const typed = fields.read();
  const isUndecided = Number(draftVersion.value) !== server.version && hasText(server.fields);
  const unsaved = entries.filter((entry) => entry.isDirty && hasText(entry.fields) && !same(entry.fields, typed));
  const newest = unsaved.sort((one, other) => other.at - one.at)[0];
  const other = isUndecided ? server.fields : newest?.fields ?? null;
  return { fields: typed, version: server.version, isDirty: true, other, isUndecided, evidence: {} };
}

function begin() {
  if (!same(shown.fields, fields.read())) fields.write(shown.fields);
  if (shown.isRestored) speech.restored();
  if (!shown.isDirty) saver.settle(shown.fields, server.saved_at);
  remember();
  store.dropOthers();
  if (shown.other && shown.isUndecided) conflict.ask(shown.other);
  else if (shown.other) conflict.keep(shown.other);
  refresh();
  if (saver.isDirty()) saver.soon();
}

function remember() {
  const isKept = store.write({
    fields: fields.read(),
    version: saver.version,
    isDirty: saver.isDirty(),
    sent: saver.unanswered.map((sent) => sent.fields),
    evidence: evidence.peek(),
    other: conflict.other,
  });
  saver.isKeptHere = isKept;
}

function refresh() {
  evidence.rebase(form);
  followChoices(form);
  followAnchor(form);
  for (const mark of form.querySelectorAll("[data-error]")) unmarkFilled(form, mark.dataset.error);
  live.recheck();
}

form.addEventListener("input", (event) => {
  evidence.count(event);
  followChoices(form);
  followAnchor(form);
  unmarkFilled(form, event.target.name);
  live.adviseSoon();
  remember();
  saver.soon();
});

// The text is safe before the page is left, and a server that is away takes nothing with it.
let isCleared = false;
form.addEventListener("submit", async (event) => {
  if (isCleared) return;
  event.preventDefault();
  if (saver.isFlushing) return;
  speech.sending();
  const outcome = await saver.flush();
  if (outcome === "unreachable") speech.note(navigator.onLine === false ? "notSentOffline" : "notSent");
  if (outcome === "conflict") conflict.show();
  if (outcome !== "saved") { speech.rest(); return; }
  speech.sending();
  isCleared = true;
  saver.stop();
  draftVersion.value = saver.version;
  form.requestSubmit(event.submitter);
});

// An article that goes back takes what was written for it along.
const returning = document.querySelector("#return-form");
returning?.addEventListener("submit", (event) => {
  if (hasText(fields.read()) && !confirm(returning.dataset.givesUp)) event.preventDefault();
});

addEventListener("pagehide", () => {
  if (!isCleared) saver.leave();
  remember();
});
addEventListener("pageshow", (event) => { if (event.persisted && isCleared) location.reload(); else if (event.persisted) { speech.rest(); saver.soon(); } });
addEventListener("load", () => { if (hasText(fields.read())) live.start(); });

document.addEventListener("desk:stale", async () => {
  if (await saver.mend()) live.recheck();
});

placeArticle();
goToPlaces(form);
sentenceTools(form);
copiesFirst(form);
keysOfFields(form);
searchableTable(form);
begin();
