// Where the letters of a question's places are written: beside their own place, and over no other letter or ring.

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

/** @type {(one: Frame, other: Frame) => boolean} */
const meet = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** @type {(spot: Partial<Record<"x" | "y", number>>, line: boolean, ends: Frame) => Letter[]} */
function choicesOf({ x, y }, line, { left, right, top }) {
  // in the order of preference; a place on one axis is a line across the chart
  if (x === undefined) {
    const low = /** @type {number} */ (y) - 5;
    return [
      { x: right - 5, y: low, anchor: "end" },
      { x: left + 5, y: low, anchor: "start" },
      { x: (left + right) / 2, y: low, anchor: "middle" },
    ];
  }
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
 * @param {(Partial<Record<"x" | "y", number>> & { points: unknown[] })[]} spots
 * @param {string[]} words
 * @param {Frame} ends of the chart
 * @returns {Letter[]}
 */
export function lettersOf(spots, words, ends) {
  const fan = fanned(spots, words, ends);
  if (fan) return fan;
  const rings = spots.map(({ x, y }) =>
    x === undefined || y === undefined ? null : { left: x - SPOT, right: x + SPOT, top: y - SPOT, bottom: y + SPOT },
  );
  const lines = spots.map(({ x, y }) =>
    x === undefined || y !== undefined ? null : { left: x - 1, right: x + 1, top: ends.top, bottom: ends.bottom },
  );
  /** @type {Frame[]} */
  const taken = [];
  return spots.map((spot, i) => {
    const others = [...taken, ...[...rings, ...lines].filter((frame, j) => frame && j % spots.length !== i)];
    const choices = choicesOf(spot, spot.points.length > 1, ends);
    /** @type {(letter: Letter) => boolean} */
    const free = (letter) => {
      const frame = frameOf(letter, words[i]);
      const inside = frame.left >= ends.left - 2 && frame.right <= ends.right + 2;
      return inside && !others.some((other) => other && meet(frame, other));
    };
    const letter = choices.find(free) ?? choices[0];
    taken.push(frameOf(letter, words[i]));
    return letter;
  });
}
