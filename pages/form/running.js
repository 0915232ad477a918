// The picture of a learner's own rule beside the true one: two lines on the same axes, which grow as the rules run.

import { element } from "../player/canvas.js";
import { beside } from "./own.js";

/** @import { Beside } from "./own.js" */

const WIDE = 320,
  HIGH = 150,
  LEFT = 34,
  RIGHT = 8,
  TOP = 10,
  BOTTOM = 34;
const SVG = "http://www.w3.org/2000/svg";
const PARTS = 4; // of an axis

/** @type {(tag: string, attributes: Record<string, string | number>, text?: string) => SVGElement} */
function drawn(tag, attributes, text = "") {
  const one = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, String(value));
  one.textContent = text;
  return one;
}

/** @type {(value: number) => string} */
const figure = (value) => String(+value.toPrecision(3)).replace("-", "−");

/** @type {(most: number) => number} a round number that is at least as large */
export function rounded(most) {
  const power = 10 ** Math.floor(Math.log10(most)),
    step = [1, 2, 4, 5, 10].find((one) => one * power >= most * (1 - 1e-9)) ?? 10;
  return step * power;
}

/** @type {(run: Beside) => { x: (value: number) => number, y: (value: number) => number, top: number, end: number }} */
export function scales({ hers, theirs, xs }) {
  const top = rounded(Math.max(...hers, ...theirs)),
    end = xs[xs.length - 1];
  return {
    top,
    end,
    x: (value) => LEFT + (value / end) * (WIDE - LEFT - RIGHT),
    y: (value) => HIGH - BOTTOM - (value / top) * (HIGH - TOP - BOTTOM),
  };
}

/** @type {(run: Beside) => SVGElement} */
function picture(run) {
  const { x, y, top, end } = scales(run),
    svg = drawn("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": told(run) });
  for (let part = 0; part <= PARTS; part++) {
    const across = (end * part) / PARTS,
      up = (top * part) / PARTS;
    svg.append(drawn("line", { class: "grid", x1: LEFT, x2: WIDE - RIGHT, y1: y(up), y2: y(up) }));
    svg.append(drawn("text", { x: LEFT - 4, y: y(up) + 3, "text-anchor": "end" }, figure(up)));
    if (part % 2 === 0)
      svg.append(
        drawn("text", { x: x(across), y: HIGH - 21, "text-anchor": "middle" }, figure(+across.toPrecision(2))),
      );
  }
  svg.append(drawn("text", { x: (LEFT + WIDE) / 2, y: HIGH - 6, "text-anchor": "middle" }, run.x));
  const lines = drawn("g", { class: "lines" });
  for (const [name, values] of /** @type {const} */ ([
    ["theirs", run.theirs],
    ["hers", run.hers],
  ])) {
    const points = values.map((value, i) => `${x(run.xs[i]).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    lines.append(drawn("polyline", { class: name, points }));
  }
  svg.append(lines);
  return svg;
}

/** @type {(run: Beside) => string} */
const told = ({ hers, theirs, x, y }) =>
  `Two lines, ${y}, over ${x}: at the end ${figure(hers[hers.length - 1])} by your rule, and ${figure(theirs[theirs.length - 1])} by the true one.`;

/** @type {(name: string, guess: number) => HTMLElement} */
export function running(name, guess) {
  const box = element("figure", "st-key-own");
  let seed = 1;
  const draw = () => {
    const run = beside(name, guess, seed),
      legend = element("p", "quiet legend", `${run.y[0].toUpperCase()}${run.y.slice(1)}, at the right end: `);
    const [hers, theirs] = [run.hers, run.theirs].map((values) => figure(values[values.length - 1]));
    legend.append(
      element("b", "hers", "your rule"),
      ` ${hers}, `,
      element("b", "theirs", "the true rule"),
      ` ${theirs}.`,
    );
    const again = Object.assign(element("button", "", "Run again"), { type: "button" });
    again.onclick = () => {
      seed++;
      draw();
      /** @type {HTMLElement | null} */ (box.querySelector("button"))?.focus();
    };
    const said = element("p", "", run.chance ? `${run.said} Both have the same random numbers.` : run.said);
    box.replaceChildren(legend, picture(run), said, ...(run.chance ? [again] : []));
  };
  draw();
  return box;
}
