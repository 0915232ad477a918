// Points that learners move with the pointer: a Vega parameter [x, y], in the units of the chart that it is pressed on.
// Takes nothing from the other files.

function handOn({ view, chart, canvas, free }, moved, released) { // a chart's hand follows the pointer from press to release
  let press = null;
  const at = (event) => {
    const frame = canvas.getBoundingClientRect(), origin = view.origin(), { left, top } = view.padding();
    const place = { x: event.clientX - frame.left - left - origin[0], y: event.clientY - frame.top - top - origin[1] };
    return ["x", "y"].map((name) => {
      const [low, high] = [...view.scale(name).domain()].sort((a, b) => a - b);
      return Math.min(high, Math.max(low, view.scale(name).invert(place[name])));
    });
  };
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
