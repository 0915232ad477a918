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

const NEAR = 16; // pixels beside a mark that still pick it
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
  /** @type {(datum: Record<string, any>) => boolean} */
  const takes = ({ row, hand }) => (row ?? hand) !== undefined;
  canvas.classList.add("hand");
  view.addEventListener("pointerdown", (event, item) => {
    if (event.button || !free()) return;
    const datum = event.pointerType === "touch" ? nearby(view, canvas, event, takes) : item?.datum;
    const row = datum?.row ?? null,
      nearest = names.reduce((best, name) => (away(event, name) < away(event, best) ? name : best)),
      near = away(event, nearest) < REACH;
    const hand = datum?.hand ?? (near ? nearest : names[0]),
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
    return `Press ${leading.map((kind) => `${/^([aeio]|hour)/.test(kind) ? "an" : "a"} ${kind}`).join(" or ")}`;
  return walks && alongTheRun(spec) ? "Press to go there" : "";
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
  /** @type {(datum: Record<string, any>) => boolean} */
  const opens = ({ mark }) => leads(mark ?? "");
  /** @type {(mark: string, event: MouseEvent) => void} */
  const clicked = (mark, event) => {
    if (mark) open(mark);
    else if (walks()) go(Math.round(unitsAt(view, canvas, event, "x")));
  };
  let finger = false;
  canvas.addEventListener("pointerdown", ({ pointerType }) => {
    finger = pointerType === "touch";
  });
  view.addEventListener("click", (event, item) => finger || clicked(over(item), event));
  canvas.addEventListener("click", (event) => {
    if (finger) clicked(nearby(view, canvas, event, opens)?.mark ?? "", event);
  });
}

/** @typedef {{ datum: Record<string, any>, left: number, right: number, top: number, bottom: number }} Mark in pixels */

/** @type {(marks: Mark[], x: number, y: number) => Mark | undefined} */
export function markAt(marks, x, y) {
  // the smallest mark under the pointer, or else the nearest
  /** @type {(mark: Mark) => number} */
  const reach = ({ left, right, top, bottom }) =>
    Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
  /** @type {(mark: Mark) => number} */
  const size = ({ left, right, top, bottom }) => (right - left) * (bottom - top);
  return marks.filter((mark) => reach(mark) < NEAR).sort((a, b) => reach(a) - reach(b) || size(a) - size(b))[0];
}

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

/** @type {(view: View) => Mark[]} */
export function marksOf(view) {
  // of a whole chart, in pixels of its canvas
  const { left, top } = view.padding(),
    [x, y] = view.origin();
  return [...marksIn(view.scenegraph().root, left + x, top + y)];
}

/** @type {(view: View, canvas: Element, event: MouseEvent, wanted: (datum: Record<string, any>) => boolean) => Record<string, any> | undefined} */
function nearby(view, canvas, event, wanted) {
  // the row of the mark under a finger, of which Vega has no item, or of one that is near
  const { left, top } = canvas.getBoundingClientRect(),
    marks = marksOf(view).filter(({ datum }) => wanted(datum));
  return markAt(marks, event.clientX - left, event.clientY - top)?.datum;
}
