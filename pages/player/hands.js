// What the pointer does on a chart: it moves a Vega parameter [x, y], in the units of the chart that it is pressed on; it
// goes to the iteration that is clicked on an axis of iterations, and opens marks that lead somewhere.

/** @import { DrawnChart, Touch } from "../messages.js" */
/** @import { Spec } from "./canvas.js" */

/** @typedef {{ view: View, canvas: HTMLElement }} OnChart */

/** @type {(view: View, canvas: Element, event: { clientX: number, clientY: number }, axis: "x" | "y") => number} */
export function unitsAt(view, canvas, event, axis) {
  // where the pointer is, in the units of an axis and within it
  const frame = canvas.getBoundingClientRect(),
    origin = view.origin(),
    { left, top } = view.padding();
  const place = { x: event.clientX - frame.left - left - origin[0], y: event.clientY - frame.top - top - origin[1] };
  const [low, high] = [...view.scale(axis).domain()].sort((a, b) => a - b);
  return Math.min(high, Math.max(low, view.scale(axis).invert(place[axis])));
}

const REACH = 28; // pixels around a handle within which a finger takes hold of it

/**
 * @type {(chart: OnChart & { chart: DrawnChart, free: () => boolean, place: (name: string) => any },
 *   touched: (touch: Touch) => void, dropped: () => void) => void}
 */
export function handOn({ view, chart, canvas, free, place }, touched, dropped) {
  // a chart's hand follows the pointer from press to release
  /** @type {{ x: number, y: number, row: number | null, far: boolean, hand: string, holds: boolean } | null} */
  let press = null;
  const names = chart.hand.split(" "); // of several, the one whose mark is pressed, or that is near; else the first
  /** @type {(event: PointerEvent, name: string) => number} */
  const away = ({ clientX, clientY }, name) => {
    const frame = canvas.getBoundingClientRect(),
      origin = view.origin(),
      { left, top } = view.padding(),
      [x, y] = [place(name)].flat();
    const across = clientX - frame.left - left - origin[0] - view.scale("x")(x),
      down = clientY - frame.top - top - origin[1] - view.scale("y")(y);
    return Math.hypot(across, down || 0);
  };
  /** @type {(event: PointerEvent, done: boolean) => void} */
  const tell = (event, done) => {
    if (!press) return;
    const x = unitsAt(view, canvas, event, "x"),
      y = unitsAt(view, canvas, event, "y");
    touched({ hand: press.hand, x, y, moved: press.far, row: press.row, done });
  };
  canvas.classList.add("hand");
  view.addEventListener("pointerdown", (event, item) => {
    if (event.button || !free()) return;
    const row = item?.datum?.row ?? null,
      nearest = names.reduce((best, name) => (away(event, name) < away(event, best) ? name : best)),
      near = away(event, nearest) < REACH;
    const hand = item?.datum?.hand ?? (near ? nearest : names[0]),
      holds = event.pointerType !== "touch" || row !== null || near;
    press = { x: event.clientX, y: event.clientY, row, far: false, hand, holds };
    canvas.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!press) return;
    press.far ||= Math.hypot(event.clientX - press.x, event.clientY - press.y) > 4; // less is a click
    if (press.far && press.holds) tell(event, false);
  });
  canvas.addEventListener("pointerup", (event) => {
    if (!press) return;
    if (press.holds || !press.far) tell(event, true); // a finger that has swept over the chart moves nothing
    press = null;
  });
  canvas.addEventListener("pointercancel", () => {
    press = null;
    dropped();
  }); // a finger scrolls the page,
  canvas.addEventListener("touchstart", (event) => press?.holds && event.preventDefault(), { passive: false }); // unless it holds a handle
}

// A horizontal axis of the field `t` is one of iterations.
/** @type {(spec: Spec) => boolean} */
export const alongTheRun = ({ encoding, layer = [] }) => encoding?.x?.field === "t" || layer.some(alongTheRun);

// What can be done on a chart, in a line: `kinds` of marks lead somewhere, and a click on an axis of iterations goes there.
/** @type {(chart: DrawnChart, kinds: string[], free: boolean, walks: boolean) => string} */
export function hintOf({ hand, spec }, kinds, free, walks) {
  if (free && hand) return "Press or drag here";
  const drawn = JSON.stringify(spec),
    leading = free ? kinds.filter((kind) => drawn.includes(`'${kind}-'`)) : [];
  if (leading.length)
    return `Click ${leading.map((kind) => `${/^([aeio]|hour)/.test(kind) ? "an" : "a"} ${kind}`).join(" or ")}`;
  return walks && alongTheRun(spec) ? "Click to go there" : "";
}

/**
 * @type {(chart: OnChart & { leads: (mark: string) => boolean, walks: () => boolean },
 *   open: (mark: string) => void, go: (t: number) => void) => void}
 */
export function clickOn({ view, canvas, leads, walks }, open, go) {
  // a mark that leads somewhere comes before a place on the axis
  /** @type {(item?: SceneItem | null) => string} */
  const over = (item) => (leads(item?.datum?.mark ?? "") ? item?.datum?.mark : "");
  view.addEventListener("mousemove", (_, item) => {
    canvas.classList.toggle("leads", walks() || over(item) !== "");
  });
  view.addEventListener("click", (event, item) => {
    const mark = over(item);
    if (mark) open(mark);
    else if (walks()) go(Math.round(unitsAt(view, canvas, event, "x")));
  });
}

/** @typedef {{ datum: Record<string, any>, left: number, right: number, top: number, bottom: number }} Mark in pixels */

/** @param {SceneMark} mark @param {number} x @param {number} y @returns {Generator<Mark>} */
export function* marksIn(mark, x, y) {
  // every mark of a scene with its frame, in pixels of the chart
  for (const item of mark.items ?? []) {
    if (mark.marktype === "group")
      for (const inner of item.items ?? []) yield* marksIn(inner, x + (item.x ?? 0), y + (item.y ?? 0));
    else if (item.bounds && item.datum)
      yield {
        datum: item.datum,
        left: x + item.bounds.x1,
        right: x + item.bounds.x2,
        top: y + item.bounds.y1,
        bottom: y + item.bounds.y2,
      };
  }
}
