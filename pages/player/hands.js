// Points that learners move with the pointer: a Vega parameter [x, y], in the units of the chart that it is pressed on.
// Takes nothing from the other files.

function unitsAt(view, canvas, event, axis) { // where the pointer is, in the units of an axis and within it
  const frame = canvas.getBoundingClientRect(), origin = view.origin(), { left, top } = view.padding();
  const place = { x: event.clientX - frame.left - left - origin[0], y: event.clientY - frame.top - top - origin[1] };
  const [low, high] = [...view.scale(axis).domain()].sort((a, b) => a - b);
  return Math.min(high, Math.max(low, view.scale(axis).invert(place[axis])));
}

function handOn({ view, chart, canvas, free }, moved, released) { // a chart's hand follows the pointer from press to release
  let press = null;
  const at = (event) => ["x", "y"].map((axis) => unitsAt(view, canvas, event, axis));
  canvas.classList.add("hand");
  view.addEventListener("pointerdown", (event, item) => {
    if (event.button || !free()) return;
    press = { x: event.clientX, y: event.clientY, row: item?.datum?.row ?? null, far: false };
    canvas.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!press) return;
    press.far ||= Math.hypot(event.clientX - press.x, event.clientY - press.y) > 4; // less is a click
    if (press.far) moved(chart.hand, at(event));
  });
  canvas.addEventListener("pointerup", (event) => {
    if (!press) return;
    const [x, y] = at(event);
    released({ hand: chart.hand, x, y, moved: press.far, row: press.row });
    press = null;
  });
  canvas.addEventListener("pointercancel", () => { press = null; });
}
