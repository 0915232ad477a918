// A learner's guess on a chart, dashed, and what came out beside it: a line across an axis, or a ring around a mark.
// While the question waits, the guess is placed by dragging, or a mark or one of a few marked places is pressed.

import { markAt, marksOf, unitsAt } from "./hands.js";
import { SPOT, endsOf, lettersOf, printedOn, topOf, wordsOf } from "./letters.js";
import { badgeOf, nearest, outlines, through } from "./lines.js";

/** @import { AskedGuess } from "../messages.js" */
/** @import { Divide } from "./divide.js" */
/** @import { Mark } from "./hands.js" */
/** @import { Frame, Letter } from "./letters.js" */
/** @import { Pixels } from "./lines.js" */

const SVG = "http://www.w3.org/2000/svg";
const BEYOND = { x: ["← ", "→ "], y: ["↑ ", "↓ "] }; // before and after the ends of an axis, as pixels go

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} className
 * @param {Record<string, unknown>} places
 * @returns {SVGElementTagNameMap[Tag]}
 */
function drawn(tag, className, places, textContent = "") {
  const made = Object.assign(document.createElementNS(SVG, tag), { textContent });
  for (const [name, value] of Object.entries({ class: className, ...places })) made.setAttribute(name, String(value));
  return made;
}

/** @type {(value: number, among: { limits: number[] | null, step: number }) => string} */
export function stepped(value, { limits, step }) {
  // the nearest guess that can be made, as text
  const [low, high] = limits ?? [-Infinity, Infinity];
  return String(+Math.min(high, Math.max(low, Math.round(value / step) * step)).toPrecision(10));
}

/** @type {(scale: Scale, value: number) => number} */
const middle = (scale, value) => scale(value) + (scale.bandwidth?.() ?? 0) / 2; // of a bar's band, or on a continuous axis

/** @type {(chart: OnChart) => void} */
function inside({ svg, canvas }) {
  // words that would be cut off at the chart's edge move in
  const { left, right } = canvas.getBoundingClientRect();
  for (const text of svg.querySelectorAll("text")) {
    const words = text.getBoundingClientRect();
    text.setAttribute("dx", String(Math.max(0, left - words.left) + Math.min(0, right - words.right)));
  }
}

/** @type {(figure: HTMLElement, look: string, words: string) => void} */
function named(figure, look, words) {
  // beside the legend, where no mark is covered, whose answer a picture is
  const row = figure.querySelector(".legend"),
    last = row?.querySelector(".guessed");
  if ((last?.textContent ?? "") === words) return;
  last?.remove();
  if (words)
    row?.append(Object.assign(document.createElement("b"), { className: `guessed ${look}`, textContent: words }));
}

/** @typedef {{ view: View, name: string, svg: SVGElement, canvas: HTMLCanvasElement, figure: HTMLElement }} OnChart */
/** @typedef {Pixels & { key: string, letter: string, points: Pixels[] }} Spot a place or a line that can be pressed */

/** @type {(many: number) => string} */
const votes = (many) => `${many} vote${many === 1 ? "" : "s"}`; // of a class

/** @type {(asked: AskedGuess | null, name: string) => string | undefined} the choice that a chart is */
const pictureOf = (asked, name) => Object.entries(asked?.pictures ?? {}).find(([, chart]) => chart === name)?.[0];

export class Guess {
  /** @type {AskedGuess | null} */ asked = null;
  /** @type {OnChart[]} */ charts = [];
  /** @type {Record<string, number> | null} */ crowd = null;
  step = ""; // of a lesson: it has one question
  t = -Infinity; // of the frame that was shown last
  running = false; // the run: more frames come at once

  /** @param {Divide} [divide] the bar below the picture, for a share that no chart shows */
  constructor(divide) {
    this.divide = divide;
  }

  /** @type {(asked: AskedGuess | null, step: string) => void} */
  take(asked, step) {
    // as Python has it, but for a guess that is not checked yet, which the question's form knows
    const open = Boolean(asked && asked.outcome === null),
      same = open && step === this.step && this.asked?.outcome === null;
    if (asked && same) asked = { ...asked, guess: this.asked?.guess ?? null };
    Object.assign(this, { asked, step });
    if (open && !same) document.dispatchEvent(new CustomEvent("samplescope:asks"));
  }

  /** @type {(value: string | null) => void} */
  set(value) {
    // in the form
    if (!this.asked || this.asked.outcome !== null || this.asked.guess === value) return;
    this.asked.guess = value;
    this.show();
  }

  /** @type {(crowd: Record<string, number> | null) => void} */
  among(crowd) {
    // what a class has guessed: counts by value, drawn beside the own guess
    this.crowd = crowd;
    this.show();
  }

  /** @type {(view: View, figure: HTMLElement, name: string) => void} */
  watch(view, figure, name) {
    // a chart has been built
    const canvas = /** @type {HTMLCanvasElement} */ (figure.querySelector("canvas")),
      svg = drawn("svg", "guess", { "aria-hidden": true });
    const chart = { view, name, svg, canvas, figure };
    figure.querySelector(".canvas")?.append(svg);
    this.charts = [...this.charts.filter((one) => one.svg.isConnected), chart];
    for (const signal of ["width", "height"])
      view.addSignalListener(signal, () => requestAnimationFrame(() => this.show()));
    let held = false;
    /** @type {string | null} */
    let before = null;
    canvas.addEventListener("click", (event) => this.open(name) && !this.drags && this.pick(chart, event));
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button || !this.open(name) || !this.asked || !this.drags) return;
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
      if (held && this.asked) this.asked.guess = before;
      held = false;
      this.show();
    });
  }

  /** @type {(name: string) => boolean} */
  open(name) {
    return Boolean(this.asked?.hand && (this.asked.chart === name || pictureOf(this.asked, name)));
  }

  get drags() {
    return Boolean(this.asked?.axis && !this.asked.places);
  }

  /** @type {(chart: OnChart, event: PointerEvent) => void} */
  place({ view, canvas }, event) {
    if (!this.asked?.axis) return;
    this.asked.guess = stepped(unitsAt(view, canvas, event, this.asked.axis), this.asked);
    this.show();
  }

  /** @type {(chart: OnChart, event: MouseEvent) => void} */
  pick(chart, event) {
    const frame = chart.canvas.getBoundingClientRect(),
      x = event.clientX - frame.left,
      y = event.clientY - frame.top;
    if (!this.asked) return;
    const found = this.asked.pictures
      ? pictureOf(this.asked, chart.name)
      : this.asked.places
        ? nearest(this.spots(chart, this.asked), x, y)?.key
        : this.markUnder(chart, this.asked, x, y);
    if (found !== undefined) this.choose(found);
  }

  /** @type {(value: string) => void} */
  choose(value) {
    if (!this.asked) return;
    this.asked.guess = value;
    this.show();
    this.tell();
  }

  tell() {
    const value = this.asked?.guess;
    if (value === undefined || value === null) return;
    document.dispatchEvent(new CustomEvent("samplescope:guess", { detail: value })); // to the form
  }

  /** @type {(chart: OnChart, asked: AskedGuess, x: number, y: number) => string | undefined} */
  markUnder(chart, { field }, x, y) {
    const found = markAt(this.marks(chart), x, y);
    return found && field ? String(found.datum[field]) : undefined;
  }

  /** @type {(chart: OnChart, asked: AskedGuess) => Spot[]} */
  spots({ view }, { axis, places }) {
    // the places that can be pressed and lie on the chart, in its pixels
    const { left, right, top, bottom } = endsOf(view);
    /** @type {("x" | "y")[]} */
    const axes = axis ? [axis] : ["x", "y"];
    return Object.entries(places ?? {}).flatMap(([key, { letter, at }]) => {
      const points = at.map((point) => {
        const from = { x: left, y: top };
        const { x, y } = /** @type {Pixels} */ (
          Object.fromEntries(axes.map((name, i) => [name, from[name] + middle(view.scale(name), point[i])]))
        );
        const [across, down] = [x ?? left, y ?? top];
        return { inside: across >= left - 1 && across <= right + 1 && down >= top - 1 && down <= bottom + 1, x, y };
      });
      if (!points.every(({ inside }) => inside)) return [];
      return [{ key, letter, points, ...badgeOf(points) }];
    });
  }

  /** @type {(spot: Spot, look: string, words: string, letter: Letter, ends: Frame, printed: Frame[]) => SVGElement} */
  spot({ x, y, points }, look, words, letter, { left, right, top, bottom }, printed) {
    // a ring around a point, a line through some, or one across the chart, with its letter
    const group = drawn("g", `place ${look}`, {});
    if (points.length > 1) group.append(drawn("path", look, { d: through(points) }));
    if (x !== undefined && y !== undefined)
      group.append(drawn("circle", points.length > 1 ? look : `ring ${look}`, { cx: x, cy: y, r: SPOT }));
    else if (x !== undefined)
      group.append(drawn("line", look, { x1: x, x2: x, y1: topOf(x, top, printed), y2: bottom }));
    else if (y !== undefined && letter.bend !== undefined)
      group.append(drawn("path", look, { d: `M${left},${y}H${letter.bend - 12}L${letter.bend},${letter.y - 5}` }));
    else if (y !== undefined) group.append(drawn("line", look, { x1: left, x2: right, y1: y, y2: y }));
    group.append(drawn("text", look, { x: letter.x, y: letter.y, "text-anchor": letter.anchor }, words));
    return group;
  }

  /** @type {(chart: OnChart, asked: AskedGuess, outcome: string | null) => SVGElement[]} */
  placed(chart, asked, outcome) {
    // all places, with the one that was pressed and the one that it is lit, which lie over the others
    const said = (/** @type {Spot} */ { key }) => Number(key === asked.guess || key === outcome),
      spots = this.spots(chart, asked).sort((a, b) => said(a) - said(b));
    const look = (/** @type {Spot} */ { key }) => (key === outcome ? "outcome" : key === asked.guess ? "own" : "spot");
    const words = spots.map((spot) => {
      const crowd = this.crowd?.[spot.key];
      const all = [spot.letter, look(spot) === "own" && "your guess", crowd && votes(crowd)].filter(Boolean);
      return spot.x !== undefined && spot.y !== undefined ? spot.letter : all.join(": ");
    });
    const ends = endsOf(chart.view),
      printed = this.printed(chart),
      letters = lettersOf(spots, words, ends, printed);
    return spots.map((spot, i) => this.spot(spot, look(spot), words[i], letters[i], ends, printed));
  }

  /** @type {(chart: { view: View }) => Mark[]} */
  marks({ view }) {
    // those that can be picked
    const field = this.asked?.field;
    return marksOf(view).filter(({ datum }) => field && datum[field] !== undefined);
  }

  /** @type {(chart: OnChart) => Frame[]} */
  printed({ view }) {
    // what words keep off; in a run they would jump about with it
    return this.running ? [] : printedOn(view);
  }

  /** @type {(t?: number, running?: boolean) => void} */
  show(t = this.t, running = this.running) {
    Object.assign(this, { t, running });
    const below = this.asked?.chart === "" ? this.asked : null;
    this.divide?.show(below, below && t >= below.reveal ? below.outcome : null, this.crowd);
    for (const chart of this.charts) {
      const picture = pictureOf(this.asked, chart.name),
        asked = picture || this.asked?.chart === chart.name ? this.asked : null;
      chart.canvas.classList.toggle("asks", this.open(chart.name));
      chart.canvas.dataset.along = (this.drags && this.asked?.axis) || "";
      chart.figure.classList.toggle("veiled", Boolean(asked?.veil));
      if (!picture) named(chart.figure, "", "");
      if (!asked) {
        chart.svg.replaceChildren();
        continue;
      }
      const { guess, outcome, reveal } = asked,
        came = t >= reveal ? outcome : null,
        veil = asked.veil ? [this.veil(chart)] : [];
      if (picture) {
        chart.svg.replaceChildren(...this.framed(chart, asked, came, picture));
        continue;
      }
      if (asked.places) {
        chart.svg.replaceChildren(...veil, ...this.placed(chart, asked, came));
        continue;
      }
      chart.svg.replaceChildren(
        ...veil,
        ...(this.crowd ? this.others(chart, asked, this.crowd) : []),
        ...(asked.axis ? this.lines(chart, asked, asked.axis, came) : this.rings(chart, asked, came)),
      );
      inside(chart);
    }
  }

  /** @type {(chart: OnChart, asked: AskedGuess, outcome: string | null, key: string) => SVGElement[]} */
  framed({ canvas, figure }, { guess }, outcome, key) {
    // a picture that can be pressed, with its frame
    const look = key === outcome ? "outcome" : key === guess ? "own" : "spot";
    const crowd = this.crowd?.[key],
      words = [look === "outcome" && "answer", key === guess && "your guess", crowd && votes(crowd)].filter(Boolean);
    const { offsetWidth: wide, offsetHeight: high } = canvas;
    named(figure, look, words.join(", "));
    if (!wide) return []; // it is behind another one, on a phone
    return [drawn("rect", look, { x: 1, y: 1, width: wide - 2, height: high - 2, rx: 6 })];
  }

  /** @type {(chart: { view: View }) => SVGElement} */
  veil({ view }) {
    // over all that is drawn between the axes; a line at an axis' end is half beyond it
    const { left, top } = endsOf(view);
    return drawn("rect", "veil", { x: left, y: top - 3, width: view.width() + 4, height: view.height() + 5 });
  }

  /** @type {(chart: OnChart, asked: AskedGuess, crowd: Record<string, number>) => SVGElement[]} */
  others(chart, { axis, field }, crowd) {
    // a bar on the axis for each value that others guessed, or their number beside the mark
    const { view } = chart,
      { left, top } = endsOf(view);
    const guesses = Object.entries(crowd),
      most = Math.max(...guesses.map(([, many]) => many));
    if (!axis) {
      const marks = this.marks(chart);
      return guesses.flatMap(([value, many]) => {
        const found = marks.find(({ datum }) => field && String(datum[field]) === value);
        return found
          ? [
              drawn(
                "text",
                "crowd",
                { x: (found.left + found.right) / 2, y: found.bottom + 16, "text-anchor": "middle" },
                votes(many),
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
    const ends = (/** @type {number[]} */ [at, reach]) =>
      axis === "x" ? { x1: at, x2: at, y1: high, y2: high - reach } : { x1: 0, x2: reach, y1: at, y2: at };
    const group = drawn("g", "", { transform: `translate(${left} ${top})` });
    group.append(...bars.map((bar) => drawn("line", "crowd", ends(bar))));
    return [group];
  }

  /** @type {(chart: OnChart, asked: AskedGuess, axis: "x" | "y", outcome: string | null) => SVGElement[]} */
  lines(chart, { guess }, axis, outcome) {
    // the guess and what came out, across the chart
    const { view } = chart,
      ends = endsOf(view),
      [from, long] = axis === "x" ? [ends.left, view.width()] : [ends.top, view.height()];
    /** @type {(look: string, said: string, value: string | null) => Spot[]} */
    const line = (look, said, value) => {
      const at = value === null ? NaN : view.scale(axis)(+value),
        on = Math.min(long, Math.max(0, at)); // one beyond the axis is at its end, with an arrow
      if (Number.isNaN(at)) return [];
      const place = { x: undefined, y: undefined, [axis]: from + on },
        beyond = Math.abs(on - at) > 1 ? BEYOND[axis][Number(at > 0)] : "";
      return [{ key: look, letter: `${beyond}${said} ${value?.replace("-", "−")}`, points: [place], ...place }];
    };
    const found = [...line("own", "your guess", guess), ...line("outcome", "answer", outcome)],
      words = found.map(({ letter }) => letter),
      printed = this.printed(chart),
      letters = wordsOf(found, words, ends, printed);
    return found.map((one, i) => this.spot(one, one.key, words[i], letters[i], ends, printed));
  }

  /** @type {(chart: OnChart, asked: AskedGuess, outcome: string | null) => SVGElement[]} */
  rings(chart, { field, guess }, outcome) {
    // around the mark that was guessed and the one that came out
    const marks = this.marks(chart),
      { offsetWidth: wide, offsetHeight: high } = chart.canvas;
    /** @type {(value: string | null, gap: number, look: string) => SVGElement[]} */
    const around = (value, gap, look) => {
      /** @type {(mark: Mark) => boolean} */
      const chosen = ({ datum }) => Boolean(field) && String(datum[field ?? ""]) === value;
      const found = marks.filter(chosen);
      if (!found.length || !wide) return [];
      return outlines(
        found,
        marks.filter((mark) => !chosen(mark)),
      ).map((frame) => {
        const x = Math.max(frame.left - gap, 2), // a curve may go on beyond the chart
          y = Math.max(frame.top - gap, 2);
        const width = Math.min(frame.right + gap, wide - 2) - x,
          height = Math.min(frame.bottom + gap, high - 2) - y;
        return drawn("rect", look, { x, y, width, height, rx: Math.min(width, height) / 2 });
      });
    };
    return [...around(guess, 4, "own"), ...around(outcome, 7, "outcome")];
  }
}
