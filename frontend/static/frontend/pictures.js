// Draws a page's pictures with Plotly, which is loaded when the first one comes into view. Without
// it, the server's drawing stays; the tables beside have the same numbers.
import { layoutOf, said, tracesOf } from "./pictures/traces.js";
import { save } from "./pictures/files.js";
import { withKeys } from "./pictures/keys.js";

const own = document.querySelector("script[data-plotly]");
const drawn = new Map();
let library;

function plotly() {
  library ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = own.dataset.plotly;
    script.nonce = own.nonce;
    script.addEventListener("load", () => done(window.Plotly));
    script.addEventListener("error", failed);
    document.head.append(script);
  });
  return library;
}

async function dataOf(figure) {
  // In an attribute, since htmx leaves script elements out of what it inserts.
  const { values } = figure.querySelector(".picture-tools").dataset;
  if (values) return JSON.parse(values);
  if (!figure.dataset.source) throw new Error("no data");
  const response = await fetch(figure.dataset.source);
  if (!response.ok) throw new Error(response.statusText);
  return response.json();
}

async function draw(figure) {
  const reading = figure.querySelector(".picture-reading");
  const hint = reading.textContent;
  reading.hidden = false;
  if (figure.dataset.wait) reading.textContent = figure.dataset.wait;
  try {
    const [library, picture] = await Promise.all([plotly(), dataOf(figure)]);
    reading.textContent = hint;
    await place(figure, picture, library);
  } catch {
    if (figure.dataset.failed) reading.textContent = figure.dataset.failed; else reading.hidden = true;
  }
}

async function place(figure, picture, library) {
  const frame = document.createElement("div");
  const plot = document.createElement("div");
  plot.setAttribute("aria-hidden", "true");
  frame.className = `picture-frame picture-${picture.kind}`;
  frame.append(plot);
  const old = figure.querySelector("svg");
  if (old) old.replaceWith(frame); else figure.querySelector("figcaption").after(frame);
  const tools = figure.querySelector(".picture-tools");
  tools.hidden = false;
  const options = { displayModeBar: false, responsive: true };
  await library.newPlot(plot, tracesOf(picture), layoutOf(picture, frame), options);
  drawn.set(figure, () => library.react(plot, tracesOf(picture), layoutOf(picture, frame), options));
  plot.on("plotly_hover", (event) => tell(figure, picture, event.points[0]));
  plot.on("plotly_click", (event) => open(picture, event.points[0]));
  withKeys(frame, plot, picture, library, (point) => tell(figure, picture, point), (point) => open(picture, point));
  const name = figure.querySelector("figcaption").textContent.trim();
  tools.addEventListener("click", (event) => {
    const kind = event.target.closest("[data-save]")?.dataset.save;
    if (kind) save(kind, name, picture, plot, library);
  });
  figure.dataset.drawn = "";
}

const hrefOf = (picture, { curveNumber, pointNumber }) => {
  const id = picture.series[curveNumber]?.ids?.[pointNumber];
  return id ? picture.href.replace("{id}", encodeURIComponent(id)) : "";
};

function tell(figure, picture, point) {
  const reading = figure.querySelector(".picture-reading");
  const series = picture.series[point.curveNumber];
  if (!series) return;
  reading.textContent = said(picture, series, point.pointNumber);
  const href = hrefOf(picture, point);
  if (!href) return;
  const link = document.createElement("a");
  link.href = href;
  link.textContent = figure.dataset.open;
  reading.append(" ", link);
}

function open(picture, point) {
  const href = hrefOf(picture, point);
  if (href) location.assign(href);
}

const inView = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    inView.unobserve(target);
    draw(target);
  }
}, { rootMargin: "200px" });

// A part that is replaced every few seconds keeps the server's drawing until its run has ended.
function find() {
  for (const figure of drawn.keys()) if (!figure.isConnected) drawn.delete(figure);
  for (const figure of document.querySelectorAll("[data-picture]:not([data-seen])")) {
    if (figure.closest("[hx-trigger^=every]")) continue;
    figure.dataset.seen = "";
    inView.observe(figure);
  }
}
const again = () => { for (const redraw of drawn.values()) redraw(); };

document.addEventListener("theme", again);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
document.addEventListener("htmx:afterSettle", find);
find();
