// The outcomes of many runs: a dot for each, piled up over its value, with the exact distribution as an outline.

import { counted, el, short, svg } from "./drawing.js";

/** @import { Exact, HandsState } from "../messages.js" */

const PILE = { wide: 360, left: 16, high: 120, top: 30, most: 25 }; // of the picture, `high` at most; `most` bins

/**
 * @type {(hands: Pick<HandsState, "points" | "exact" | "label" | "t" | "unit">, own: number | null | undefined,
 *   open?: ((index: number, value: number) => void) | null) => HTMLElement}
 */
export function pile({ points, exact, label, t, unit }, own, open) {
  // own: the index of whose dot is lit; open(index, value): what a click on a dot does
  const { wide, left, high: room, top } = PILE,
    values = points.map(([, value]) => value);
  if (!values.length) return el("p", { className: "quiet", textContent: "No run has finished yet." });
  const { edges, places } = piled(values, exact),
    shares = sharesIn(exact, edges);
  const low = edges[0],
    high = edges[edges.length - 1],
    x = (/** @type {number} */ value) => left + ((wide - 2 * left) * (value - low)) / (high - low);
  const counts = edges.slice(1).map((_, i) => places.filter((place) => place === i).length);
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
  const mean = exact?.mean,
    text = (/** @type {string} */ words, /** @type {Record<string, string | number>} */ places) =>
      Object.assign(svg("text", places), { textContent: words });
  const line =
    mean === undefined || mean === null || mean < low || mean > high
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
  const ticks = ticksOf(edges).map((value) =>
    text(short(value), { x: x(value), y: base + 16, "text-anchor": "middle" }),
  );
  const average = values.reduce((sum, value) => sum + value, 0) / values.length,
    mine = points.find(([index]) => index === own);
  const said = `${counted(values.length, "run")}: ${label} from ${short(Math.min(...values))} to ${short(Math.max(...values))}, mean ${short(average)}${mine ? `; yours ${short(mine[1])}` : ""}${mean === undefined || mean === null ? "" : `; the exact mean is ${short(mean)}`}.`;
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
      textContent: `Mean ${short(average)}${mine ? `, yours ${short(mine[1])}` : ""}.${exact ? (outline.length ? ` Outline: the exact distribution${t ? ` after ${t} ${unit}` : ""}.` : ` Line: the exact mean ${short(exact.mean)}.`) : ""}`,
    }),
  );
}

/** @type {(values: number[], exact: Exact | null) => { edges: number[], places: number[] }} */
export function piled(values, exact) {
  // bins that hold them all: one for each number, if they are whole and few
  const known = exact?.values?.filter((_, i) => (exact.shares?.[i] ?? 0) > 1e-3) ?? [],
    all = [...values, ...known];
  const low = Math.min(...all),
    high = Math.max(...all),
    whole = all.every(Number.isInteger) && high - low < 2 * PILE.most;
  const width = whole ? 1 : (high - low) / PILE.most || 1,
    start = whole ? low - 0.5 : low;
  const many = whole ? high - low + 1 : PILE.most;
  const edges = Array.from({ length: many + 1 }, (_, i) => start + i * width);
  return {
    edges,
    places: values.map((value) => Math.max(0, Math.min(many - 1, Math.floor((value - start) / width + 1e-9)))),
  };
}

/** @type {(exact: Exact | null, edges: number[]) => number[]} */
export function sharesIn(exact, edges) {
  // the exact probability of each bin
  if (!exact?.shares || !exact.values) return [];
  const all = exact.shares,
    shares = new Array(edges.length - 1).fill(0),
    width = edges[1] - edges[0];
  exact.values.forEach((value, i) => {
    const bin = Math.floor((value - edges[0]) / width + 1e-9);
    if (bin >= 0 && bin < shares.length) shares[bin] += all[i];
  });
  return shares;
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

/** @type {(edges: number[]) => number[]} */
export function ticksOf(edges) {
  const whole = edges[1] - edges[0] === 1 && Number.isInteger(edges[0] + 0.5);
  if (!whole) return roundNumbers(edges[0], edges[edges.length - 1]);
  const numbers = edges.slice(0, -1).map((edge) => edge + 0.5),
    step = Math.ceil(numbers.length / 10);
  return numbers.filter((_, i) => i % step === 0);
}
