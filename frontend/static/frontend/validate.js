// Validating: the next question is there before it is asked for, and no vote waits for the server.
// Without this script the forms do all of it, one answer after the other.
import { ask, token } from "./validate/ask.js";
import { Lease } from "./validate/lease.js";
import { Outbox } from "./validate/outbox.js";
import { FINAL, Sender } from "./validate/sender.js";
import { Typed } from "./validate/typed.js";

const place = document.querySelector("#question");
const kept = document.querySelector("#kept");
const announcer = document.querySelector("#announce");
const sending = document.querySelector("#sending").innerHTML;
const outbox = new Outbox(place.dataset.validator);
const sender = new Sender(outbox, { onAnswer: answered, onTrouble: troubled });
const lease = new Lease({ onLost: show });
const typed = new Typed();
const isOfHere = (vote) => vote.address.startsWith(place.dataset.here);
let last = outbox.all().findLast(isOfHere)?.seat; // the seat voted on last in this campaign
let receipt = ""; // the acknowledgement of that vote, and of no other
let refusals = ""; // what the server said of votes that it did not store, since that one was given
let next = null; // the question after the one in hand: a promise of its markup, or of nothing
let moving = null; // the way to that question, while the page is on it

const shownVote = () => place.querySelector("form[data-vote]");
const shownFirst = () => place.querySelector("form[data-first]"); // step 1: the local context alone

function answersOf(form, button) {
  const fields = Object.fromEntries(new FormData(form, button));
  delete fields.csrfmiddlewaretoken;
  return fields;
}

function show(html) {
  htmx.swap(place, html, { swapStyle: "innerHTML" }, {});
}

// What became of the votes. With a sentence open, the last vote is past undoing: no receipt then.
function tell() {
  const open = shownVote();
  const isAway = outbox.has(open ? open.dataset.vote : last) || outbox.has(shownFirst()?.dataset.first);
  const words = refusals + (isAway ? sending : open ? "" : receipt);
  const line = place.querySelector("[data-receipt]");
  if (!line || !words) return;
  line.innerHTML = words;
  htmx.process(line);
}

function announce(words) {
  announcer.textContent = "";
  setTimeout(() => { announcer.textContent = words; }, 100);
}

// An answer that is on its way can be neither given again nor taken back by giving up the question.
function hold() {
  for (const field of place.querySelectorAll("button, input, textarea")) field.disabled = true;
}

// -- the next question, fetched while the sentence is read ------------------------------------------
function fetchAhead() {
  next = ask(place.dataset.ahead).then(({ status, html }) => (status === 200 ? html : null));
}

const seatIn = (html) => (
  new DOMParser().parseFromString(html, "text/html").querySelector("#lease")?.dataset.seat
);

function moveOn() {
  moving ??= showNext().finally(() => { moving = null; });
  return moving;
}

// While an earlier vote is not stored, the server may give out what is validated here already.
async function showNext() {
  const coming = next;
  next = null;
  const html = await coming;
  if (!html || outbox.has(seatIn(html))) return false;
  show(html);
  return true;
}

async function take() {
  const { status, html, goTo } = await ask(place.dataset.here);
  const isPage = /^\s*<!doctype/i.test(html); // not the part that was asked for
  if (status === 401) document.dispatchEvent(new Event("signed-out"));
  else if (goTo) location.assign(goTo);
  else if (status === 0 || status >= 500 || isPage) location.assign(place.dataset.here);
  else show(html);
}

// -- the answer of the first step: the server uncovers the sentence once it has it --------------------
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches?.("form[data-first]") || event.submitter?.name !== "option") return;
  event.preventDefault();
  event.stopImmediatePropagation(); // htmx would send it as well
  const [seat, address] = [form.dataset.first, form.getAttribute("action")];
  const fields = answersOf(form, event.submitter);
  const answer = { seat, address, fields, isFirst: true, at: Date.now() };
  hold();
  // Sent past the votes that wait: the validator waits for nothing but this answer.
  const { status, html } = await ask(address, { ...fields, csrfmiddlewaretoken: token() });
  if (FINAL.has(status)) { answered(answer, html); return; }
  outbox.put(answer);
  sender.send();
}, { capture: true });

// -- a vote -----------------------------------------------------------------------------------------
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches?.("form[data-vote]") || event.submitter?.name !== "clarity") return;
  event.preventDefault();
  event.stopImmediatePropagation(); // htmx would send it as well
  const fields = answersOf(form, event.submitter);
  last = form.dataset.vote;
  receipt = refusals = "";
  outbox.put({ seat: last, address: form.getAttribute("action"), fields, at: Date.now() });
  typed.drop();
  hold();
  tell();
  sender.send();
  await moveOn();
  tell();
}, { capture: true });

// The answer to a vote begins with the bar of a crowd session, which has moved on by one.
function withoutBar(html) {
  const part = new DOMParser().parseFromString(html, "text/html");
  const bar = part.querySelector("#session-bar");
  if (!bar) return html;
  bar.removeAttribute("hx-swap-oob");
  bar.remove();
  document.querySelector("#session-bar")?.replaceWith(bar);
  return part.body.innerHTML;
}

async function answered(vote, answer, isTaken) {
  const html = vote.isFirst ? answer : withoutBar(answer);
  if (vote.isFirst) {
    const shown = shownFirst()?.dataset.first ?? shownVote()?.dataset.vote;
    if (shown === vote.seat) show(html);
    return;
  }
  if (!isTaken) refusals += html;
  else if (vote.seat === last) receipt = html;
  const shown = shownVote()?.dataset.vote;
  if (shown === vote.seat) await moveOn() || await take();
  else if (shown && !outbox.has(shown)) fetchAhead(); // with that seat free, there may be another
  tell();
  if (isTaken) announce(place.dataset.recorded);
}

// *status* is what the server said to a vote that is kept; nothing where none is.
function troubled(status) {
  if (status !== null) tell();
  const isUnknown = status === 401 || status === 403;
  if (isUnknown) document.dispatchEvent(new Event("signed-out"));
  kept.querySelector("[data-away]").hidden = isUnknown;
  kept.querySelector("[data-unknown]").hidden = !isUnknown;
  kept.hidden = status === null;
}

// A question begins at its top, however far down the last one was answered.
function beginsAtItsTop() {
  if (place.getBoundingClientRect().top < 0) scrollTo({ top: 0, behavior: "instant" });
}

// -- what is not sent yet survives a reload ----------------------------------------------------------
document.addEventListener("input", ({ target }) => {
  const form = target.form;
  if (!form?.matches("form[data-vote], form[data-first]")) return;
  typed.keep(form.dataset.vote ?? form.dataset.first, answersOf(form));
});

function bringBack(form, seat) {
  for (const [name, value] of Object.entries(typed.of(seat))) {
    const field = form.elements.namedItem(name);
    if (field) field.value = value;
    if (value && name !== "option") place.querySelector("details.remarks").open = true;
  }
}

// -- each new part of the page ------------------------------------------------------------------------
function arrived() {
  const form = shownVote();
  const seat = form?.dataset.vote ?? shownFirst()?.dataset.first;
  if (outbox.has(seat)) {
    hold();
    tell();
    return;
  }
  bringBack(form ?? shownFirst(), seat);
  if (form) fetchAhead();
}

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.target !== place) return;
  beginsAtItsTop();
  lease.follow();
  arrived();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target.matches("textarea")) event.target.blur();
});

arrived();
sender.send(); // what an earlier page could not send
