// The chains of a relay, as dots that walk from state to state, and the heap of each half's visits over them.

import { counted, el, svg } from "./drawing.js";

/** @import { RelayState } from "../messages.js" */

const WIDE = 360,
  LEFT = 8,
  TOP = 22,
  HEAP = 92, // of the picture: what is left free on both sides, and above the heap; and how high it may be
  NAMES = 18,
  ROOM = 34, // below the heap: the names of the states, and the chains
  DOT = 3.4;

/** @type {(counts: number[], exact: number[]) => number} the share at the top of the axis */
export const topOf = (counts, exact) => {
  const total = counts.reduce((sum, many) => sum + many, 0);
  return Math.max(0.05, ...exact, ...counts.map((many) => many / Math.max(1, total))) * 1.05;
};

/** @type {(places: number[], states: number) => [number, number][]} where each chain is drawn, in pixels */
export function standing(places, states) {
  const across = (WIDE - 2 * LEFT) / states,
    columns = Math.max(1, Math.floor((across - 2) / (2 * DOT + 1))),
    rows = new Array(states).fill(0),
    most = Math.max(...places.map((place) => ++rows[place])),
    step = Math.min(2 * DOT + 1, ROOM / Math.ceil(most / columns));
  rows.fill(0);
  return places.map((place) => {
    const nth = rows[place]++,
      wide = Math.min(columns, most) * (2 * DOT + 1);
    return [
      LEFT + (place + 0.5) * across - wide / 2 + ((nth % columns) + 0.5) * (2 * DOT + 1),
      TOP + HEAP + NAMES + DOT + Math.floor(nth / columns) * step,
    ];
  });
}

class Half {
  /** @param {RelayState} relay @param {number} half */
  constructor({ names, exact, halves, places }, half) {
    this.half = half;
    this.chains = places.length / halves.length;
    const across = (WIDE - 2 * LEFT) / names.length,
      sparse = Math.ceil(names.length / 9),
      text = (/** @type {string} */ words, /** @type {Record<string, string | number>} */ at) =>
        Object.assign(svg("text", at), { textContent: words });
    this.bars = names.map(() => svg("rect", { class: `half-${half}` }));
    this.ticks = exact.map(() => svg("line", { class: "exact" }));
    this.dots = Array.from({ length: this.chains }, () => svg("circle", { r: DOT, class: `chain half-${half}` }));
    const labels = names
      .map((name, i) => (i % sparse ? null : text(name, { x: LEFT + (i + 0.5) * across, y: TOP + HEAP + 13 })))
      .filter((label) => label !== null);
    this.picture = svg(
      "svg",
      { viewBox: `0 0 ${WIDE} ${TOP + HEAP + NAMES + ROOM + 4}`, role: "img" },
      this.bars,
      this.ticks,
      svg("line", { class: "axis", x1: LEFT, x2: WIDE - LEFT, y1: TOP + HEAP, y2: TOP + HEAP }),
      labels,
      this.dots,
      halves[half] ? text(`Half ${halves[half]}`, { x: LEFT, y: 14, class: "name" }) : [],
    );
  }

  /** @type {(relay: RelayState) => void} */
  show({ names, exact, halves, places, counts }) {
    const mine = counts[this.half],
      total = mine.reduce((sum, many) => sum + many, 0),
      top = Math.max(...counts.map((each) => topOf(each, exact))),
      across = (WIDE - 2 * LEFT) / names.length,
      base = TOP + HEAP;
    /** @type {(element: SVGElement, places: Record<string, number>) => void} */
    const put = (element, places) => {
      for (const [name, value] of Object.entries(places)) element.setAttribute(name, value.toFixed(1));
    };
    this.bars.forEach((bar, i) => {
      const tall = (HEAP * mine[i]) / Math.max(1, total) / top;
      put(bar, { x: LEFT + (i + 0.14) * across, y: base - tall, width: 0.72 * across, height: tall });
    });
    this.ticks.forEach((tick, i) => {
      const y = base - (HEAP * exact[i]) / top;
      put(tick, { x1: LEFT + (i + 0.08) * across, x2: LEFT + (i + 0.92) * across, y1: y, y2: y });
    });
    const here = places.slice(this.half * this.chains, (this.half + 1) * this.chains);
    standing(here, names.length).forEach(([x, y], i) => {
      this.dots[i].style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    });
    const peak = names[mine.indexOf(Math.max(...mine))],
      whose = halves[this.half] ? `Half ${halves[this.half]}: ` : "";
    this.picture.setAttribute(
      "aria-label",
      `${whose}${counted(this.chains, "chain")}, ${counted(total, "visit")}${total ? `, most of them to ${peak}` : ""}.`,
    );
  }
}

export class Walks {
  /** @type {RelayState | null} */ relay = null;
  /** @type {Half[]} */ halves = [];

  constructor() {
    this.box = el("div", { className: "walks", hidden: true });
  }

  /** @type {(relay: RelayState | null) => void} */
  show(relay) {
    const fresh = relay && relay.id !== this.relay?.id;
    this.relay = relay;
    this.box.hidden = !relay;
    if (!relay) return;
    if (fresh) {
      this.halves = relay.halves.map((_, half) => new Half(relay, half));
      const said = relay.exact.length
        ? "Bars: visits. Lines: the exact distribution. Dots: where the chains are."
        : "Bars: visits. Dots: where the chains are. The exact distribution is unknown: it is this class’s own.";
      this.box.replaceChildren(
        el("div", { className: "both" }, ...this.halves.map((half) => half.picture)),
        el("p", { className: "quiet", textContent: said }),
      );
    }
    for (const half of this.halves) half.show(relay);
  }
}
