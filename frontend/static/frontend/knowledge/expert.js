// The expert's page: what is typed stays in this browser until the server has it.
// Without this script the form still stores, proves and shows what is wrong.
import { Store } from "../desk/store.js";

const form = document.querySelector("form[data-expert]");
const note = document.querySelector("#draft-note");
const store = new Store(form.dataset.expert);
const version = Number(form.dataset.version);
let isSent = false;

const texts = () => [...form.querySelectorAll("input:not([type=hidden]), textarea")];

function read() {
  return { fields: texts().map((field) => [field.name, field.type === "checkbox" ? [field.value, field.checked] : field.value]) };
}

function same(one, other) {
  return JSON.stringify(one.fields) === JSON.stringify(other.fields);
}

// New rows may have come or gone since: rows are filled in the order of the fields of one name.
function write({ fields }) {
  for (const field of texts()) {
    const at = fields.findIndex(([name, value]) => name === field.name && (field.type !== "checkbox" || value[0] === field.value));
    if (at < 0) continue;
    const [[, value]] = fields.splice(at, 1);
    if (field.type === "checkbox") field.checked = value[1];
    else field.value = value;
  }
}

function remember() {
  store.write({ fields: read(), version, isSent });
}

function restore() {
  const served = read();
  const typed = store.others().filter((entry) => entry.fields.fields && !same(entry.fields, served));
  // What was sent and followed by a newer version has been stored.
  const kept = typed.filter((entry) => !(entry.isSent && version > entry.version));
  const newest = kept.sort((one, other) => other.at - one.at)[0];
  if (!newest || "bound" in form.dataset) return;
  write(structuredClone(newest.fields));
  if (same(read(), served)) return;
  note.hidden = false;
  remember();
  note.querySelector("[data-discard]").addEventListener("click", () => {
    write(structuredClone(served));
    note.hidden = true;
    form.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

form.addEventListener("input", remember);
form.addEventListener("submit", () => { isSent = true; remember(); });
addEventListener("pageshow", (event) => { if (event.persisted) { isSent = false; remember(); } });

restore();
store.dropOthers();
if ("bound" in form.dataset) {
  // Reloading then asks for what is stored, instead of posting what was refused again.
  history.replaceState(history.state, "", form.dataset.bound);
  remember();
}
