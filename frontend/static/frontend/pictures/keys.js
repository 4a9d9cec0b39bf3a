// Arrow keys go from point to point, and Enter opens what a point stands for.
export function withKeys(frame, plot, picture, library, tell, open) {
  frame.tabIndex = 0;
  frame.setAttribute("role", "application");
  frame.setAttribute("aria-label", frame.parentElement.querySelector("figcaption").textContent.trim());
  const order = picture.series.flatMap((series, curveNumber) =>
    [...series.x.keys()].map((pointNumber) => ({ curveNumber, pointNumber })));
  const x = ({ curveNumber, pointNumber }) => picture.series[curveNumber].x[pointNumber];
  if (picture.kind === "points") order.sort((a, b) => x(a) - x(b));
  let at = -1;

  const far = Math.max(10, Math.round(order.length / 20));
  const moves = {
    ArrowRight: () => at + 1, ArrowDown: () => at + 1, ArrowLeft: () => at - 1, ArrowUp: () => at - 1,
    PageDown: () => at + far, PageUp: () => at - far, Home: () => 0, End: () => order.length - 1,
  };
  frame.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && order[at]) open(order[at]);
    if (!moves[event.key] || !order.length) return;
    event.preventDefault();
    at = Math.max(0, Math.min(order.length - 1, moves[event.key]()));
    const { curveNumber, pointNumber } = order[at];
    const { x, y } = plot.data[curveNumber];
    library.restyle(plot, { x: [[x[pointNumber]]], y: [[y[pointNumber]]] }, [picture.series.length]);
    tell(order[at]);
  });
}
