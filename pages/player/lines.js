// Lines through points of a chart, in pixels: how they are drawn, and which of them a press means.

import { SPOT } from "./letters.js";

/** @typedef {{ x: number | undefined, y: number | undefined }} Pixels of a place; a line across the chart has one of them */

/** @type {(points: Pixels[]) => string} */
export function through(points) {
  // a smooth line through points (Catmull and Rom's): the slope at each is that from the one before to the next
  const at = (/** @type {number} */ i) => points[Math.min(points.length - 1, Math.max(0, i))],
    round = (/** @type {number[]} */ ...numbers) => numbers.map((number) => number.toFixed(1)).join(" ");
  return points
    .map(({ x = 0, y = 0 }, i) => {
      if (!i) return `M ${round(x, y)}`;
      const [{ x: x0 = 0, y: y0 = 0 }, { x: x1 = 0, y: y1 = 0 }, { x: x2 = 0, y: y2 = 0 }] = [
        at(i - 2),
        at(i - 1),
        at(i + 1),
      ];
      return `C ${round(x1 + (x - x0) / 6, y1 + (y - y0) / 6, x - (x2 - x1) / 6, y - (y2 - y1) / 6, x, y)}`;
    })
    .join(" ");
}

/** @type {(points: Pixels[]) => Pixels} */
export function badgeOf(points) {
  // where the letter of a line is: at its middle point, or beyond the end of one that it would cover
  const [{ x: x0 = 0, y: y0 = 0 }, end] = [points[0], points[points.length - 1]],
    [across, down] = [(end.x ?? x0) - x0, (end.y ?? y0) - y0],
    far = Math.hypot(across, down);
  return far && far < 5 * SPOT
    ? { x: x0 + across * (1 + SPOT / far), y: y0 + down * (1 + SPOT / far) }
    : points[points.length >> 1];
}

/** @type {<Place extends { points: Pixels[] }>(spots: Place[], x: number, y: number) => Place | undefined} */
export function nearest(spots, x, y) {
  // of places by the pixels of their points, the one that a press means; a line counts from end to end
  const far = (/** @type {Pixels} */ from, /** @type {Pixels} */ to) => {
    const at = { x: from.x ?? x, y: from.y ?? y },
      [across, down] = [(to.x ?? x) - at.x, (to.y ?? y) - at.y];
    const part = ((x - at.x) * across + (y - at.y) * down) / (across ** 2 + down ** 2 || 1),
      on = Math.min(1, Math.max(0, part));
    return Math.hypot(at.x + on * across - x, at.y + on * down - y);
  };
  const away = (/** @type {{ points: Pixels[] }} */ { points }) =>
    Math.min(...points.map((point, i) => far(points[Math.max(0, i - 1)], point)));
  return [...spots].sort((a, b) => away(a) - away(b))[0];
}

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Frame */

/** @type {(frames: Frame[]) => Frame} */
const around = (frames) => ({
  left: Math.min(...frames.map(({ left }) => left)),
  right: Math.max(...frames.map(({ right }) => right)),
  top: Math.min(...frames.map(({ top }) => top)),
  bottom: Math.max(...frames.map(({ bottom }) => bottom)),
});

/** @type {(frame: Frame, other: Frame) => boolean} */
const holds = ({ left, right, top, bottom }, other) => {
  const x = (other.left + other.right) / 2,
    y = (other.top + other.bottom) / 2;
  return x >= left && x <= right && y >= top && y <= bottom;
};

/** @type {(marks: Frame[], others: Frame[]) => Frame[]} */
export function outlines(marks, others) {
  // around all marks at once, or around each if others would be within
  const all = around(marks);
  if (!others.some((other) => holds(all, other))) return [all];
  /** @type {Frame[]} */
  const found = [];
  for (const mark of marks) {
    const i = found.findIndex((frame) => holds(frame, mark));
    if (i < 0) found.push(mark);
    else found[i] = around([found[i], mark]);
  }
  return found;
}
