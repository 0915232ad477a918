// The outcomes of many runs: a dot for each, piled up over its value, with the exact distribution as an outline.

import { counted, el, short, svg } from "./drawing.js";

/** @import { HandsState } from "../messages.js" */

const PILE = { wide: 360, left: 16, high: 120, top: 30 }; // of the picture, `high` at most

/**
 * @type {(hands: Pick<HandsState, "points" | "heap" | "mean" | "label" | "t" | "unit">, own: number | null | undefined,
 *   open?: ((index: number, value: number) => void) | null) => HTMLElement}
 */
export function pile({ points, heap, mean, label, t, unit }, own, open) {
  // own: the index of whose dot is lit; open(index, value): what a click on a dot does
  const { wide, left, high: room, top } = PILE,
    values = points.map(([, value]) => value);
  if (!heap) return el("p", { className: "quiet", textContent: "No run has finished yet." });
  const { low, width, number, places, shares } = heap,
    high = low + number * width,
    x = (/** @type {number} */ value) => left + ((wide - 2 * left) * (value - low)) / (high - low);
  const counts = new Array(number).fill(0);
  for (const place of places) counts[place] += 1;
  const most = Math.max(3, ...counts, ...shares.map((share) => share * values.length));
  const across = (wide - 2 * left) / counts.length,
    r = Math.max(1.2, Math.min(7, across / 2 - 0.5, room / most / 2 - 0.3));
  const step = Math.min(room / most, 2 * r + 0.6),
    base = top + Math.max(50, most * step),
    tall = base + 40;
  const rows = new Array(counts.length).fill(0);
  const dots = points.map(([index, value], i) => {
    const bin = places[i],
      mine = index === own;
    const dot = svg("circle", {
      cx: left + (bin + 0.5) * across,
      cy: base - (rows[bin]++ + 0.5) * step,
      r: mine ? r + 1 : r,
      class: `${mine ? "own" : ""} ${open ? "opens" : ""}`,
    });
    if (open) dot.addEventListener("click", () => open(index, value));
    dot.append(Object.assign(svg("title"), { textContent: short(value) }));
    return dot;
  });
  const tallOf = (/** @type {number} */ share) => base - share * values.length * step;
  const outline = shares.length
    ? [
        svg("path", {
          class: "exact",
          d: `M${left} ${base}${shares.map((share, i) => `V${tallOf(share)}H${left + (i + 1) * across}`).join("")}V${base}`,
        }),
      ]
    : [];
  const text = (/** @type {string} */ words, /** @type {Record<string, string | number>} */ places) =>
    Object.assign(svg("text", places), { textContent: words });
  const line =
    mean === null || mean < low || mean > high
      ? []
      : [
          svg("line", { class: "mean", x1: x(mean), x2: x(mean), y1: top - 8, y2: base }),
          text(`exact mean ${short(mean)}`, {
            x: x(mean) + (x(mean) > wide - 120 ? -5 : 5),
            y: top - 10,
            "text-anchor": x(mean) > wide - 120 ? "end" : "start",
            class: "mean",
          }),
        ];
  const ticks = ticksOf(heap).map((value) =>
    text(short(value), { x: x(value), y: base + 16, "text-anchor": "middle" }),
  );
  const average = values.reduce((sum, value) => sum + value, 0) / values.length,
    mine = points.find(([index]) => index === own);
  const said = `${counted(values.length, "run")}: ${label} from ${short(Math.min(...values))} to ${short(Math.max(...values))}, mean ${short(average)}${mine ? `; yours ${short(mine[1])}` : ""}${mean === null ? "" : `; the exact mean is ${short(mean)}`}.`;
  return el(
    "div",
    { className: "pile" },
    svg(
      "svg",
      { viewBox: `0 0 ${wide} ${tall}`, role: "img", "aria-label": said },
      outline,
      dots,
      svg("line", { class: "axis", x1: left, x2: wide - left, y1: base, y2: base }),
      line,
      ticks,
      text(label, { x: wide / 2, y: base + 34, "text-anchor": "middle" }),
    ),
    el("p", {
      className: "quiet",
      textContent: `Mean ${short(average)}${mine ? `, yours ${short(mine[1])}` : ""}.${mean === null ? "" : outline.length ? ` Outline: the exact distribution${t ? ` after ${t} ${unit}` : ""}.` : ` Line: the exact mean ${short(mean)}.`}`,
    }),
  );
}

/** @type {(low: number, high: number) => number[]} */
export function roundNumbers(low, high) {
  // about four round numbers
  const rough = (high - low) / 4,
    power = 10 ** Math.floor(Math.log10(rough)),
    step = power * ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10);
  return Array.from(
    { length: Math.floor(high / step) - Math.ceil(low / step) + 1 },
    (_, i) => (Math.ceil(low / step) + i) * step,
  );
}

/** @type {(heap: { low: number, width: number, number: number }) => number[]} */
export function ticksOf({ low, width, number }) {
  // bins of one whole number each are labelled by it
  if (width !== 1 || !Number.isInteger(low + 0.5)) return roundNumbers(low, low + width * number);
  const step = Math.ceil(number / 10);
  return Array.from({ length: Math.ceil(number / step) }, (_, i) => low + 0.5 + i * step);
}
