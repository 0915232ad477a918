// On a phone the main picture stays, and the other charts are a strip below it that is swept with a finger. Their names
// are above it, and the chart that is spoken of is in view: the one that a question asks on, else one that an answer has
// uncovered, else one that the text names, in bold or italics.

import { element } from "./canvas.js";

/** @type {(figure: HTMLElement) => string} */
const titleOf = (figure) => figure.querySelector("b")?.textContent ?? "";

/** @type {(figures: HTMLElement[], asked: HTMLElement | undefined, uncovered: HTMLElement[], named: string[]) => HTMLElement} */
export function spokenOf(figures, asked, uncovered, named) {
  return asked ?? uncovered[0] ?? figures.find((figure) => named.includes(titleOf(figure))) ?? figures[0];
}

export class Strip {
  /** @type {HTMLElement[]} in the order in which they are swept */ figures = [];

  /** @param {HTMLElement} grid @param {HTMLElement} names */
  constructor(grid, names) {
    this.grid = grid;
    this.names = names;
    grid.onscroll = () => this.mark();
  }

  /** @type {(figures: HTMLElement[]) => void} */
  take(figures) {
    this.figures = figures;
    this.names.replaceChildren(
      ...figures.map((figure) => {
        const name = element("button", "", titleOf(figure));
        return Object.assign(name, { type: "button", onclick: () => this.bring(figure, "smooth") });
      }),
    );
    this.names.hidden = figures.length < 2;
  }

  /** @type {(asked: HTMLElement | undefined, uncovered: HTMLElement[]) => void} */
  speak(asked, uncovered) {
    const { figures } = this,
      bold = document.querySelectorAll(".st-key-text :is(strong, em)"),
      named = [...bold].map(({ textContent }) => textContent ?? "");
    if (figures.length) this.bring(spokenOf(figures, asked, uncovered, named));
    this.mark();
  }

  /** @type {(figure: HTMLElement, behavior?: ScrollBehavior) => void} */
  bring(figure, behavior = "instant") {
    this.grid.scrollTo({ left: this.at(figure), behavior });
  }

  /** @type {(figures: HTMLElement[]) => void} */
  sight(figures) {
    // one of them comes into view, if none is
    const here = this.here();
    if (this.swept && here && figures.length && !figures.includes(here)) this.bring(figures[0], "smooth");
  }

  get swept() {
    return this.grid.scrollWidth > this.grid.clientWidth;
  }

  /** @type {(figure: HTMLElement) => number} */
  at(figure) {
    return figure.offsetLeft - this.figures[0].offsetLeft;
  }

  /** @type {() => HTMLElement | undefined} */
  here() {
    // the figure that is in view
    const away = (/** @type {HTMLElement} */ figure) => Math.abs(this.at(figure) - this.grid.scrollLeft);
    return [...this.figures].sort((a, b) => away(a) - away(b))[0];
  }

  mark() {
    const here = this.here();
    [...this.names.children].forEach((name, i) => name.setAttribute("aria-pressed", String(this.figures[i] === here)));
  }
}
