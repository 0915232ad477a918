// The charts in the cards: each is written in their HTML, as a specification and the rows of its data sets. A chart whose
// specification stays the same keeps its view, which only gets other rows.

import { colorsOf, configOf, element, fontLoaded, themeOf, typeScaled } from "./canvas.js";
import { VEGA } from "./library.js";

/** @import { Root, Row, Spec } from "./canvas.js" */
/** @typedef {{ place: HTMLElement, spec: Spec, sets: Record<string, Row[]> }} Told */
/** @typedef {{ name: string, canvas: HTMLElement, view: Promise<View> }} Chart */

/** @template {{ name: string }} Kept @param {string} name @param {Kept[]} kept @returns {Kept | undefined} */
export function reused(name, kept) {
  // the first of this name, which is then no longer among those that are kept
  const index = kept.findIndex((one) => one.name === name);
  return index < 0 ? undefined : kept.splice(index, 1)[0];
}

export class Charts {
  /** @type {Told[]} */ told = [];
  /** @type {Chart[]} */ charts = [];

  /** @param {HTMLElement} box @param {Root} root */
  constructor(box, root) {
    this.box = box;
    this.root = root;
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.onlook = () => this.draw();
    this.dark.addEventListener("change", this.onlook);
  }

  close() {
    this.dark.removeEventListener("change", this.onlook);
    this.charts.forEach(leave);
  }

  /** The box has other HTML. */
  drawn() {
    const places = /** @type {HTMLElement[]} */ ([...this.box.querySelectorAll(".drawn-chart")]);
    this.told = places.map((place) => ({ place, ...JSON.parse(place.textContent ?? "") }));
    this.draw();
  }

  draw() {
    const { root, charts } = this,
      look = themeOf(root);
    this.charts = this.told.map(({ place, spec, sets }) => {
      const name = look + JSON.stringify(spec),
        known = reused(name, charts),
        canvas = known?.canvas ?? element("div", "");
      place.replaceChildren(canvas);
      const view = known ? known.view.then((view) => refilled(view, sets)) : made(canvas, spec, sets, root);
      return { name, canvas, view };
    });
    charts.forEach(leave);
  }
}

/** @type {(canvas: HTMLElement, spec: Spec, sets: Record<string, Row[]>, root: Root) => Promise<View>} */
async function made(canvas, spec, sets, root) {
  const [{ default: vegaEmbed }] = await Promise.all([VEGA, fontLoaded()]),
    { view } = await vegaEmbed(
      canvas,
      { ...typeScaled(spec), datasets: sets, width: "container" },
      { renderer: "canvas", actions: false, config: configOf(colorsOf(root)) },
    );
  return view;
}

/** @type {(view: View, sets: Record<string, Row[]>) => Promise<View>} */
async function refilled(view, sets) {
  for (const [name, rows] of Object.entries(sets)) view.data(name, rows);
  await view.runAsync();
  return view;
}

/** @type {(chart: Chart) => void} */
const leave = ({ view }) => void view.then((one) => one.finalize());
