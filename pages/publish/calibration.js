// A learner's calibration as a small drawing, the same as pages/drawing/calibration.py makes.

import { LEVELS } from "./review.js";

/** @import { Calibration } from "./review.js" */

const WIDE = 150,
  HIGH = 120,
  LEFT = 44,
  TOP = 12; // pixels: of a level, of the axis, and what is left of it and above it

const x = (/** @type {number} */ number) => (LEFT + WIDE * (number + 0.5)).toFixed(1),
  y = (/** @type {number} */ share) => (TOP + HIGH * (1 - share)).toFixed(1);

/** @type {(rows: Calibration[]) => string} */
export function curve(rows) {
  const width = LEFT + WIDE * rows.length,
    points = rows.map(({ right, many }, number) => `${x(number)},${y(right / many)}`).join(" "),
    said = rows.map(({ level, right, many }) => `${LEVELS[level]}: ${right} of ${many} right`).join("; ");
  const lines = [0, 0.5, 1].map(
    (share) =>
      `<line x1="${LEFT}" x2="${width}" y1="${y(share)}" y2="${y(share)}" class="grid"/><text x="${LEFT - 6}" y="${(+y(share) + 4).toFixed(1)}" text-anchor="end">${100 * share}%</text>`,
  );
  const marks = rows.map(
    ({ level, right, many, low, high }, number) =>
      `<line x1="${x(number)}" x2="${x(number)}" y1="${y(low)}" y2="${y(high)}" class="range"/><circle cx="${x(number)}" cy="${y(right / many)}" r="5"/><text x="${x(number)}" y="${HIGH + 32}" text-anchor="middle">${LEVELS[level]}</text><text x="${x(number)}" y="${HIGH + 50}" text-anchor="middle">${right} of ${many}</text>`,
  );
  return `<svg class="calibration" viewBox="0 0 ${width} ${HIGH + 60}" width="${width}" role="img" aria-label="${said}">${lines.join("")}<polyline points="${points}"/>${marks.join("")}</svg>`;
}
