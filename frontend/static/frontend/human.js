// Answering a human evaluation: no answer is lost with the connection, the tab or the session.
// Without this script the forms do all of it.
import { Lease } from "./validate/lease.js";
import { Outbox } from "./validate/outbox.js";
import { Sender } from "./validate/sender.js";

const place = document.querySelector("#question");
const kept = document.querySelector("#kept");
// Apart from the votes of validation, which another page sends and acknowledges.
const outbox = new Outbox(`human:${place.dataset.person}`);
const sender = new Sender(outbox, { onAnswer: answered, onTrouble: troubled });
const lease = new Lease({ onLost: show });

const form = () => place.querySelector("form[data-vote]");

function show(html) {
  htmx.swap(place, html, { swapStyle: "innerHTML" }, {});
}

function hold() {
  for (const button of place.querySelectorAll("button")) button.disabled = true;
}

document.addEventListener("submit", (event) => {
  const given = event.target;
  if (!given.matches?.("form[data-vote]") || event.submitter?.name !== "option") return;
  event.preventDefault();
  event.stopImmediatePropagation(); // htmx would send it as well
  const [seat, address] = [given.dataset.vote, given.getAttribute("action")];
  const fields = Object.fromEntries(new FormData(given, event.submitter));
  delete fields.csrfmiddlewaretoken;
  outbox.put({ seat, address, fields, at: Date.now() });
  hold();
  sender.send();
}, { capture: true });

// The server answers a vote with the next question, and a refused one with what became of it.
function answered(vote, html) {
  const open = form()?.dataset.vote;
  if (vote.address.startsWith(place.dataset.here) && (!open || open === vote.seat)) show(html);
}

function troubled(status) {
  const isUnknown = status === 401 || status === 403;
  if (isUnknown) document.dispatchEvent(new Event("signed-out"));
  kept.querySelector("[data-away]").hidden = isUnknown;
  kept.querySelector("[data-unknown]").hidden = !isUnknown;
  kept.hidden = status === null;
}

function arrived() {
  if (outbox.has(form()?.dataset.vote)) hold();
}

document.addEventListener("htmx:afterSettle", (event) => {
  if (event.target !== place) return;
  lease.follow();
  arrived();
});

arrived();
sender.send(); // what an earlier page could not send
