// A picture in Plotly's terms, in the colours of the page. Text comes from people: it is escaped.
const LINE = 62;
const LETTER = 7; // pixels, of 12 pixel text
const SYMBOLS = { dot: "circle", cross: "x-thin", hollow: "circle-open" };

const probe = document.createElement("span");
probe.hidden = true;
document.body.append(probe);

function colour(name) {
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}

const escaped = (text) => String(text).replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign]);

function wrapped(text) {
  let width = 0;
  return text.split(" ").map((word) => {
    width += word.length + 1;
    if (width <= LINE) return escaped(word);
    width = word.length;
    return `<br>${escaped(word)}`;
  }).join(" ");
}

// The lines of a row's name, which take half of the frame at most; names of models have few spaces.
function linesOf(name, frame) {
  const most = Math.floor((frame.clientWidth || 700) / 2 / LETTER);
  const lines = [""];
  for (const part of String(name).match(new RegExp(`[^ /_-]{1,${most - 1}}[ /_-]?|[ /_-]`, "g")) ?? []) {
    if (lines.at(-1).length + part.trimEnd().length > most) lines.push("");
    lines[lines.length - 1] += part;
  }
  return lines;
}

const rowsOf = (picture) => [...new Set(picture.series.flatMap((series) => series.y))];

function number(value, format) {
  if (typeof value !== "number") return String(value);
  const digits = Number(/\.(\d)/.exec(format ?? "")?.[1] ?? 0);
  if (format?.endsWith("%")) return `${(100 * value).toFixed(digits)}%`;
  if (!format) return value.toLocaleString("en", { maximumSignificantDigits: 4 });
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

// What a point says: its own text, or its name and value with the interval.
export function said(picture, series, place) {
  if (series.text) return series.text[place];
  const isRow = picture.kind === "dots";
  const format = isRow ? picture.x_format : picture.y_format;
  const [name, value] = isRow ? [series.y[place], series.x[place]] : [series.x[place], series.y[place]];
  const low = series.low?.[place];
  const ends = typeof low === "number" ? ` (${number(low, format)} – ${number(series.high[place], format)})` : "";
  const what = picture.y_title && !isRow ? `, ${picture.y_title}` : "";
  const where = isRow ? String(name) : number(name, picture.x_format);
  return `${series.name ? `${series.name}, ` : ""}${where}${what}: ${number(value, format)}${ends}`;
}

function errors(series, values) {
  if (!series.low) return undefined;
  const far = (ends) => values.map((value, place) => Math.abs((ends[place] ?? value) - value));
  return { type: "data", symmetric: false, array: far(series.high), arrayminus: far(series.low), thickness: 1.5, width: 4, color: colour(series.colour) };
}

function trace(picture, series) {
  const ink = colour(series.colour);
  const places = [...series.x.keys()];
  const base = {
    name: escaped(series.name ?? ""),
    x: typeof series.x[0] === "string" ? series.x.map(escaped) : series.x,
    y: typeof series.y[0] === "string" ? series.y.map(escaped) : series.y,
    text: places.map((place) => wrapped(said(picture, series, place))),
    textposition: "none",
    hovertemplate: "%{text}<extra></extra>",
  };
  if (picture.kind === "bars") return { ...base, type: "bar", marker: { color: ink } };
  const isBig = picture.kind === "points";
  const symbol = SYMBOLS[series.look] ?? "circle";
  const marker = { color: ink, symbol, size: isBig ? 5 : 8, opacity: series.is_faint ? 0.28 : 0.85, line: { width: series.look === "cross" ? 1.5 : 0, color: ink } };
  if (isBig) return { ...base, type: "scattergl", mode: "markers", marker };
  const line = { color: ink, width: 2, shape: picture.kind === "steps" ? "hvh" : "linear", dash: series.look === "dash" ? "dash" : "solid" };
  if (picture.kind === "steps") return { ...base, type: "scatter", mode: "lines", line: { ...line, width: series.is_faint ? 1 : 2.5 }, opacity: series.is_faint ? 0.55 : 1 };
  if (picture.kind === "dots") return { ...base, type: "scatter", mode: "markers", marker, error_x: errors(series, series.x) };
  const mode = { line: "lines", hollow: "markers" }[series.look] ?? "lines+markers";
  return { ...base, type: "scatter", mode, marker, line, error_y: errors(series, series.y) };
}

const CURSOR = () => ({
  type: "scatter", mode: "markers", x: [], y: [], hoverinfo: "skip", showlegend: false,
  marker: { symbol: "circle-open", size: 18, color: colour("ink"), line: { width: 3, color: colour("ink") } },
});

// The last trace marks the point that keys have reached.
export const tracesOf = (picture) =>
  [...picture.series.map((series) => trace(picture, { colour: "accent", ...series })), CURSOR()];

function marks(picture) {
  const line = { color: colour("warn"), width: 2, dash: "dash" };
  const font = { color: colour("ink-soft"), size: 12 };
  const found = { shapes: [], annotations: [] };
  if (picture.upright) {
    const x = picture.upright.at;
    found.shapes.push({ type: "line", x0: x, x1: x, y0: 0, y1: 1, yref: "paper", line });
    found.annotations.push({ x, y: 1, yref: "paper", yanchor: "bottom", text: escaped(picture.upright.label), showarrow: false, font });
  }
  if (picture.level) {
    const y = picture.level.at;
    found.shapes.push({ type: "line", y0: y, y1: y, x0: 0, x1: 1, xref: "paper", line });
    found.annotations.push({ y, x: 1, xref: "paper", xanchor: "left", xshift: 4, yanchor: "middle", text: escaped(picture.level.label), showarrow: false, font });
  }
  return found;
}

// A share has no axis below 0, unless it is of differences.
function lowest(picture, side) {
  const values = picture.series.flatMap((series) => [...series[side], ...(series.low ?? [])]);
  return picture[`${side}_format`]?.endsWith("%") && !values.some((value) => value < 0) ? "nonnegative" : "normal";
}

// Labels of more ticks run into one another beside long names on a phone.
const ticksIn = (frame) => (frame.clientWidth && frame.clientWidth < 480 ? 2 : 6);

function axis(picture, side, frame) {
  const [title, format] = [picture[`${side}_title`], picture[`${side}_format`]];
  const values = picture.series[0]?.[side] ?? [];
  const isName = typeof values[0] === "string";
  // Between small counts Plotly would set ticks at halves, which the format rounds.
  const isSmall = format === ",.0f" && Math.max(...values) <= 6;
  return {
    title: { text: escaped(title ?? ""), font: { size: 12 } },
    tickformat: format, dtick: isSmall ? 1 : undefined, automargin: true, zeroline: false,
    type: isName ? "category" : "-", nticks: side === "x" ? ticksIn(frame) : 6, tickangle: 0, rangemode: lowest(picture, side),
    gridcolor: colour("line"), linecolor: colour("line"), tickcolor: colour("line"),
  };
}

function heightOf(picture, frame) {
  if (picture.kind === "points") return 480;
  if (picture.kind !== "dots") return 260;
  const rows = rowsOf(picture);
  const most = Math.max(1, ...rows.map((name) => linesOf(name, frame).length));
  return 90 + (10 + 16 * most) * Math.max(2, rows.length);
}

// The label of a level stands beside the plot, where no curve can cross it.
const rightOf = (picture) => (picture.level ? 12 + 7 * picture.level.label.length : 12);

export function layoutOf(picture, frame) {
  const named = picture.series.filter((series) => series.name);
  const xaxis = axis(picture, "x", frame);
  const yaxis = axis(picture, "y", frame);
  if (picture.kind === "dots") {
    const names = rowsOf(picture);
    const ticktext = names.map((name) => linesOf(name, frame).map(escaped).join("<br>"));
    Object.assign(yaxis, { autorange: "reversed", nticks: undefined, tickmode: "array", tickvals: names.map(escaped), ticktext });
  }
  if (picture.kind === "bars") yaxis.rangemode = "tozero";
  if (picture.is_log) Object.assign(xaxis, { type: "log", tickvals: [...new Set(picture.series[0].x)], tickformat: "," });
  // The name of an upright line stands above the plot, and the legend above that name.
  const hasBoth = named.length > 1 && picture.upright;
  return {
    height: heightOf(picture, frame) + (hasBoth ? 18 : 0), width: frame.clientWidth || undefined,
    margin: { t: hasBoth ? 58 : named.length > 1 ? 40 : 24, r: rightOf(picture), b: 36, l: 48 },
    font: { family: getComputedStyle(document.body).fontFamily, size: 12, color: colour("ink-soft") },
    paper_bgcolor: colour("paper"), plot_bgcolor: colour("paper"),
    hovermode: "closest", barmode: "group", bargap: 0.28,
    hoverlabel: { bgcolor: colour("surface"), bordercolor: colour("line-strong"), align: "left", font: { color: colour("ink"), size: 13 } },
    showlegend: named.length > 1,
    legend: hasBoth ? { orientation: "h", x: 0, y: 1, yref: "container", yanchor: "top" } : { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" },
    dragmode: picture.kind === "points" ? "pan" : "zoom",
    xaxis, yaxis, ...marks(picture),
  };
}
