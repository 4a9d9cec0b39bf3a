// A picture as a file: PNG and SVG as it is drawn, CSV and JSON with its data.
const COLUMNS = ["x", "y", "low", "high", "text", "ids"];
const SIZE = { width: 1000, height: 600 };

// As in the platform's own CSV files, no cell starts a formula.
function cell(value) {
  if (typeof value === "number") return String(value);
  const text = String(value ?? "").replace(/^(?=[=+\-@\t\r])/, "'");
  return /[",\n\r]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text;
}

function csv(picture) {
  const columns = COLUMNS.filter((name) => picture.series.some((series) => series[name]));
  const lines = [["series", ...columns.map((name) => (name === "ids" ? "id" : name))]];
  for (const series of picture.series) {
    for (const place of series.x.keys()) {
      lines.push([series.name ?? "", ...columns.map((name) => series[name]?.[place])]);
    }
  }
  return lines.map((line) => line.map(cell).join(",")).join("\r\n") + "\r\n";
}

function download(text, type, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function save(kind, title, picture, plot, library) {
  const name = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60) || "picture";
  if (kind === "csv") return download(csv(picture), "text/csv", `${name}.csv`);
  if (kind === "json") return download(JSON.stringify({ title, ...picture }), "application/json", `${name}.json`);
  return library.downloadImage(plot, { format: kind, filename: name, scale: kind === "png" ? 2 : 1, ...SIZE });
}
