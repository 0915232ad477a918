// Where the words of a question are written on a chart, such as the letters of its places: beside their own place, over no
// other letter or ring, and over none of the chart's own numbers and points as long as another place is free.

import { itemsIn, shows } from "./seen.js";

/** @typedef {{ x: number, y: number, anchor: "start" | "middle" | "end", bend?: number }} Letter where a line bends to it */
/** @typedef {{ left: number, right: number, top: number, bottom: number }} Frame */

export const SPOT = 13; // pixels: the radius of a place that can be pressed
const HIGH = 14,
  WIDE = 7.5; // pixels: of a letter

/** @type {(letter: Letter, words: string) => Frame} */
const frameOf = ({ x, y, anchor }, words) => {
  const wide = WIDE * words.length,
    left = x - { start: 0, middle: wide / 2, end: wide }[anchor];
  return { left, right: left + wide, top: y - HIGH + 3, bottom: y + 3 };
};

/** @type {(one: Frame, other: Frame) => number} */
const shared = (one, other) =>
  Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) *
  Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));

/** @type {(view: View) => Frame} */
export function endsOf(view) {
  // of what is between the axes, in pixels of the canvas
  const { left, top } = view.padding(),
    [x, y] = view.origin();
  return { left: left + x, right: left + x + view.width(), top: top + y, bottom: top + y + view.height() };
}

/** @type {(view: View) => Frame[]} */
export function printedOn(view) {
  // the numbers, words and points that a chart shows
  const { left, top } = endsOf(view);
  return [...itemsIn(view.scenegraph().root, left, top)].flatMap(({ mark, item, x, y }) => {
    const drawn = mark.role === "mark" && ["text", "symbol"].includes(mark.marktype ?? "") && shows(item);
    if (!drawn || !item.bounds) return [];
    const { x1, x2, y1, y2 } = item.bounds;
    return [{ left: x + x1, right: x + x2, top: y + y1, bottom: y + y2 }];
  });
}

/** @type {(x: number, top: number, printed: Frame[]) => number} */
export function topOf(x, top, printed) {
  // where a line down a chart begins: below a number or a mark at the chart's top that it would cross
  const crossed = printed.filter((one) => one.left < x && x < one.right && one.top < top + HIGH),
    small = crossed.map(({ bottom }) => bottom).filter((bottom) => bottom < top + 2 * HIGH);
  return Math.max(top, ...small);
}

/** @type {(spot: Partial<Record<"x" | "y", number>>, line: boolean, ends: Frame) => Letter[]} */
function choicesOf({ x, y }, line, { left, right, top }) {
  // in the order of preference; a place on one axis is a line across the chart
  if (x === undefined)
    return (Number(y) < top + HIGH + 2 ? [HIGH, -5] : [-5, HIGH]).flatMap((away) => {
      const at = Number(y) + away;
      return [
        { x: right - 5, y: at, anchor: "end" },
        { x: left + 5, y: at, anchor: "start" },
        { x: (left + right) / 2, y: at, anchor: "middle" },
      ];
    });
  if (y === undefined)
    return /** @type {Letter["anchor"][]} */ (["start", "end", "middle"]).flatMap((anchor) =>
      [0, 1, 2, 3].map((row) => ({
        x: x + { start: 5, end: -5, middle: 0 }[anchor],
        y: top + HIGH * (row + 1),
        anchor,
      })),
    );
  if (line) return [{ x, y: y + 5, anchor: "middle" }];
  return [
    { x: x + 1.6 * SPOT, y: y - 0.6 * SPOT, anchor: "middle" },
    { x: x - 1.6 * SPOT, y: y - 0.6 * SPOT, anchor: "middle" },
    { x, y: y - 1.4 * SPOT, anchor: "middle" },
    { x, y: y + 2.2 * SPOT, anchor: "middle" },
  ];
}

/** @type {(spots: Partial<Record<"x" | "y", number>>[], words: string[], ends: Frame) => Letter[] | null} */
function fanned(spots, words, { right, top, bottom }) {
  // lines across the chart that are closer than a letter is high bend apart towards their letters, in a column
  const ys = spots.map(({ x, y }) => (x === undefined && y !== undefined ? y : NaN));
  const order = ys.map((_, i) => i).sort((a, b) => ys[a] - ys[b]);
  const close = order.some((i, k) => k > 0 && ys[i] - ys[order[k - 1]] < HIGH);
  if (!close || ys.some(Number.isNaN)) return null;
  /** @type {number[]} */
  const at = [];
  for (const [k, i] of order.entries()) at.push(k ? Math.max(ys[i], at[k - 1] + HIGH) : ys[i]);
  const over = at.reduce((sum, y, k) => sum + y - ys[order[k]], 0) / at.length;
  const up = Math.min(Math.max(over, at[at.length - 1] + HIGH / 2 - bottom), at[0] - HIGH / 2 - top);
  /** @type {Letter[]} */
  const letters = [];
  for (const [k, i] of order.entries())
    letters[i] = { x: right - 5, y: at[k] - up + 5, anchor: "end", bend: right - 12 - WIDE * words[i].length };
  return letters;
}

/**
 * @typedef {Partial<Record<"x" | "y", number>> & { points: unknown[] }} Place
 * @type {(spots: Place[], words: string[], ends: Frame, printed?: Frame[]) => Letter[]}
 */
export function lettersOf(spots, words, ends, printed = []) {
  return fanned(spots, words, ends) ?? wordsOf(spots, words, ends, printed);
}

/** @type {(spots: Place[], words: string[], ends: Frame, printed: Frame[]) => Letter[]} */
export function wordsOf(spots, words, ends, printed) {
  // each at the first free choice of its own, or at that which covers the least of what the chart has printed
  const places = spots.map(({ x, y }) => {
    const half = x === undefined || y === undefined ? 1 : SPOT, // of a line, or of a ring
      [left, right] = x === undefined ? [ends.left, ends.right] : [x - half, x + half],
      [top, bottom] = y === undefined ? [ends.top, ends.bottom] : [y - half, y + half];
    return { left, right, top, bottom };
  });
  /** @type {Frame[]} */
  const taken = [];
  return spots.map((spot, i) => {
    const others = [...taken, ...places.filter((_, j) => j !== i)];
    const frame = (/** @type {Letter} */ letter) => frameOf(letter, words[i]),
      covered = (/** @type {Letter} */ letter, /** @type {Frame[]} */ by) =>
        by.reduce((sum, one) => sum + shared(frame(letter), one), 0);
    const choices = choicesOf(spot, spot.points.length > 1, ends),
      inside = choices.filter((one) => frame(one).left >= ends.left - 2 && frame(one).right <= ends.right + 2),
      free = inside.filter((one) => !covered(one, others));
    const [first = choices[0], ...more] = free.length ? free : inside,
      cost = (/** @type {Letter} */ one) => covered(one, [...printed, ...others]);
    const letter = more.reduce((best, other) => (cost(other) < cost(best) ? other : best), first);
    taken.push(frameOf(letter, words[i]));
    return letter;
  });
}
