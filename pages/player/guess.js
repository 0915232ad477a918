// A learner's guess on a chart, dashed, and what came out beside it: a line across an axis, or a ring around a mark.
// While the question waits, the guess is placed by dragging, or a mark or one of a few marked places is pressed.

import { unitsAt } from "./hands.js";

const NEAR = 16; // pixels beside a mark that still pick it
const SPOT = 13; // pixels: the radius of a place that can be pressed
const SVG = "http://www.w3.org/2000/svg";

function drawn(tag, className, places, textContent = "") {
  const made = Object.assign(document.createElementNS(SVG, tag), { textContent });
  for (const [name, value] of Object.entries({ class: className, ...places })) made.setAttribute(name, value);
  return made;
}

export function* marksIn(mark, x, y) {
  // every mark of a scene with its frame, in pixels of the chart
  for (const item of mark.items ?? []) {
    if (mark.marktype === "group")
      for (const inner of item.items) yield* marksIn(inner, x + (item.x ?? 0), y + (item.y ?? 0));
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

export function stepped(value, { limits: [low, high], step }) {
  // the nearest guess that can be made, as text
  return String(+Math.min(high, Math.max(low, Math.round(value / step) * step)).toPrecision(10));
}

export function markAt(marks, x, y) {
  // the smallest mark under the pointer, or else the nearest
  const reach = ({ left, right, top, bottom }) =>
    Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
  const size = ({ left, right, top, bottom }) => (right - left) * (bottom - top);
  return marks.filter((mark) => reach(mark) < NEAR).sort((a, b) => reach(a) - reach(b) || size(a) - size(b))[0];
}

export function nearest(spots, x, y) {
  // of places by their pixels, of which one may be missing, the one that a press means
  const far = (spot) => Math.hypot(spot.x === undefined ? 0 : spot.x - x, spot.y === undefined ? 0 : spot.y - y);
  return [...spots].sort((a, b) => far(a) - far(b))[0];
}

export class Guess {
  constructor(send) {
    Object.assign(this, { send, charts: [], asked: null, number: 0, crowd: null });
  }

  take(asked, heard) {
    // as Python has it, but for a guess of which it has not heard yet
    if (asked && heard < this.number && this.asked?.chart === asked.chart)
      asked = { ...asked, guess: this.asked.guess };
    this.asked = asked;
  }

  among(crowd) {
    // what a class has guessed: counts by value, drawn beside the own guess
    this.crowd = crowd;
    this.show();
  }

  watch(view, figure, name) {
    // a chart has been built
    const canvas = figure.querySelector("canvas"),
      svg = drawn("svg", "guess", { "aria-hidden": true });
    const chart = { view, name, svg, canvas };
    figure.querySelector(".canvas").append(svg);
    this.charts = [...this.charts.filter((one) => one.svg.isConnected), chart];
    for (const signal of ["width", "height"])
      view.addSignalListener(signal, () => requestAnimationFrame(() => this.show()));
    let held = false,
      before;
    canvas.addEventListener("click", (event) => this.open(name) && !this.drags && this.pick(chart, event));
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button || !this.open(name) || !this.drags) return;
      held = true;
      before = this.asked.guess;
      canvas.setPointerCapture(event.pointerId);
      if (event.pointerType === "mouse") event.preventDefault();
    });
    canvas.addEventListener("pointermove", (event) => held && this.place(chart, event));
    canvas.addEventListener("pointerup", (event) => {
      if (!held) return;
      held = false;
      this.place(chart, event);
      this.tell();
    });
    canvas.addEventListener("pointercancel", () => {
      // it was a finger that scrolls the page
      if (held) this.asked.guess = before;
      held = false;
      this.show();
    });
  }

  open(name) {
    return Boolean(this.asked?.hand && this.asked.chart === name);
  }

  get drags() {
    return Boolean(this.asked?.axis && !this.asked.places);
  }

  place({ view, canvas }, event) {
    this.asked.guess = stepped(unitsAt(view, canvas, event, this.asked.axis), this.asked);
    this.show();
  }

  pick(chart, event) {
    const frame = chart.canvas.getBoundingClientRect(),
      x = event.clientX - frame.left,
      y = event.clientY - frame.top;
    const found = this.asked.places ? nearest(this.spots(chart), x, y)?.key : this.markUnder(chart, x, y);
    if (found === undefined) return;
    this.asked.guess = found;
    this.show();
    this.tell();
  }

  tell() {
    this.number = this.send("guess", { value: this.asked.guess });
    document.dispatchEvent(new CustomEvent("samplescope:guess", { detail: this.asked.guess })); // to a class that is asked
  }

  markUnder(chart, x, y) {
    const found = markAt(this.marks(chart), x, y);
    return found && String(found.datum[this.asked.field]);
  }

  spots({ view }) {
    // the places that can be pressed and lie on the chart, in its pixels
    const { axis, places } = this.asked,
      { left, top } = view.padding(),
      [x0, y0] = view.origin(),
      ends = { x: view.width(), y: view.height() };
    return Object.entries(places).flatMap(([key, { letter, at }]) => {
      const pixels = (axis ? [axis] : ["x", "y"]).map((name, i) => [name, view.scale(name)(at[i])]);
      if (!pixels.every(([name, value]) => value >= -1 && value <= ends[name] + 1)) return [];
      const { x, y } = Object.fromEntries(pixels);
      return [{ key, letter, x: x === undefined ? x : x + left + x0, y: y === undefined ? y : y + top + y0 }];
    });
  }

  spot({ view }, { x, y, letter }, look, words = letter) {
    // a ring around a point, or a line across the chart, with its letter
    const { left, top } = view.padding(),
      [x0, y0] = view.origin(),
      [right, low] = [left + x0 + view.width(), top + y0 + view.height()];
    const group = drawn("g", `place ${look}`);
    if (x !== undefined && y !== undefined)
      group.append(
        drawn("circle", look, { cx: x, cy: y, r: SPOT }),
        drawn("text", look, { x, y: y + 5, "text-anchor": "middle" }, words),
      );
    else if (x !== undefined)
      group.append(
        drawn("line", look, { x1: x, x2: x, y1: top + y0, y2: low }),
        drawn("text", look, { x: x + 5, y: top + y0 + 14 }, words),
      );
    else
      group.append(
        drawn("line", look, { x1: left + x0, x2: right, y1: y, y2: y }),
        drawn("text", look, { x: right - 5, y: y - 5, "text-anchor": "end" }, words),
      );
    return group;
  }

  placed(chart, guess, outcome) {
    // all places, with the one that was pressed and the one that it is lit
    return this.spots(chart).flatMap((spot) => {
      const look = spot.key === outcome ? "outcome" : spot.key === guess ? "own" : "spot";
      const crowd = this.crowd?.[spot.key],
        words = [spot.letter, look === "own" && "your guess", crowd && `${crowd} said so`].filter(Boolean);
      return [
        this.spot(chart, spot, look, spot.x !== undefined && spot.y !== undefined ? spot.letter : words.join(": ")),
      ];
    });
  }

  marks({ view }) {
    // those that can be picked
    const { left, top } = view.padding(),
      [x, y] = view.origin();
    return [...marksIn(view.scenegraph().root, left + x, top + y)].filter(
      ({ datum }) => datum[this.asked.field] !== undefined,
    );
  }

  show(t = this.t) {
    this.t = t;
    for (const chart of this.charts) {
      const here = this.asked?.chart === chart.name;
      chart.canvas.classList.toggle("asks", this.open(chart.name));
      chart.canvas.dataset.along = this.drags ? this.asked.axis : "";
      if (!here && !chart.svg.firstChild) continue;
      const { guess, outcome, reveal } = this.asked ?? {},
        came = t >= reveal ? outcome : null;
      if (here && this.asked.places) {
        chart.svg.replaceChildren(...this.placed(chart, guess, came));
        continue;
      }
      const told = [
        [guess, came, "own", "your guess"],
        [came, guess, "outcome", "it is"],
      ];
      const marks = told.flatMap(([value, other, ...look], line) =>
        here && value !== null ? this.mark(chart, value, other, line, ...look) : [],
      );
      chart.svg.replaceChildren(...(here && this.crowd ? this.others(chart) : []), ...marks);
    }
  }

  others(chart) {
    // a bar on the axis for each value that others guessed, or their number beside the mark
    const { view } = chart,
      { axis, field } = this.asked,
      { left, top } = view.padding(),
      [x0, y0] = view.origin();
    const guesses = Object.entries(this.crowd),
      most = Math.max(...guesses.map(([, many]) => many));
    if (!axis) {
      const marks = this.marks(chart);
      return guesses.flatMap(([value, many]) => {
        const found = marks.find(({ datum }) => String(datum[field]) === value);
        return found
          ? [
              drawn(
                "text",
                "crowd",
                { x: (found.left + found.right) / 2, y: found.bottom + 16, "text-anchor": "middle" },
                `${many} said so`,
              ),
            ]
          : [];
      });
    }
    const long = view.width(),
      high = view.height(),
      scale = view.scale(axis),
      [low, end] = axis === "x" ? [0, long] : [0, high];
    const bars = guesses
      .map(([value, many]) => [scale(+value), (0.3 * many * (axis === "x" ? high : long)) / most])
      .filter(([at]) => at >= low - 1 && at <= end + 1);
    const ends = ([at, reach]) =>
      axis === "x" ? { x1: at, x2: at, y1: high, y2: high - reach } : { x1: 0, x2: reach, y1: at, y2: at };
    const group = drawn("g", "", { transform: `translate(${left + x0} ${top + y0})` });
    group.append(...bars.map((bar) => drawn("line", "crowd", ends(bar))));
    return [group];
  }

  mark(chart, value, other, line, look, words) {
    const { view } = chart,
      { axis, field } = this.asked,
      { left, top } = view.padding(),
      [x0, y0] = view.origin();
    if (!axis) {
      const found = this.marks(chart).filter(({ datum }) => String(datum[field]) === value),
        gap = 4 + 3 * line;
      if (!found.length) return [];
      const end = (side, pick) => pick(...found.map((mark) => mark[side]));
      const x = end("left", Math.min) - gap,
        y = end("top", Math.min) - gap;
      const width = end("right", Math.max) + gap - x,
        height = end("bottom", Math.max) + gap - y;
      return [drawn("rect", look, { x, y, width, height, rx: Math.min(width, height) / 2 })];
    }
    const long = view.width(),
      high = view.height(),
      at = view.scale(axis)(+value),
      away = 14 * (line + 1);
    if (!(at >= -1 && at <= (axis === "x" ? long : high) + 1)) return [];
    const said = `${words} ${value.replace("-", "−")}`;
    const far = axis === "x" && (other === null || at < 90 || at > long - 90 ? at > long / 2 : +value < +other); // away from the other one
    const ends = axis === "x" ? { x1: at, x2: at, y1: 0, y2: high } : { x1: 0, x2: long, y1: at, y2: at };
    const text =
      axis === "x" ? { x: at + (far ? -5 : 5), y: away } : { x: line ? long - 4 : 4, y: at < 16 ? at + 14 : at - 5 };
    const anchor = far || (axis === "y" && line) ? "end" : "start";
    const group = drawn("g", "", { transform: `translate(${left + x0} ${top + y0})` });
    group.append(drawn("line", look, ends), drawn("text", look, { ...text, "text-anchor": anchor }, said));
    return [group];
  }
}
