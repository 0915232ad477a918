// The places of the charts: which one is the main picture, which lie beside it, and which of these a phone shows below it.
// `painter` is the one of painting.js.

import { fit } from "./canvas.js";
import { hintOf } from "./hands.js";
import { Strip } from "./strip.js";

/** @import { DrawnChart } from "../messages.js" */
/** @import { Painter } from "./painting.js" */

/** @type {(figure: HTMLElement) => string} */
export const nameOf = (figure) => figure.dataset.chart ?? "";

/** @type {(figure: HTMLElement | undefined) => boolean | undefined} */
const upright = (figure) => figure?.classList.contains("upright");

const PHONE = 620; // pixels of width, as in player.css

export class Arrangement {
  /** @type {HTMLElement[]} in their order */ figures = [];

  /** @param {Painter} painter */
  constructor(painter) {
    this.painter = painter;
    this.grid = painter.player.part("charts");
    this.side = painter.player.part("side");
    this.strip = new Strip(this.side, painter.player.part("names"));
  }

  reach() {
    this.side.tabIndex = this.strip.swept ? 0 : -1; // a strip that can be swept can be reached by key
  }

  /** @type {(figures: HTMLElement[]) => void} */
  begin(figures) {
    // new charts, in no order yet
    const { player } = this.painter;
    this.grid.dataset.arranged = "";
    player.part("main").replaceChildren();
    this.side.replaceChildren(...figures);
    this.arrange();
  }

  /** @type {(figure: HTMLElement) => boolean} */
  beside(figure) {
    return figure.parentElement === this.side;
  }

  arrange() {
    // the first chart that is shown is the main picture; what is hidden takes no room
    const { grid, side, painter } = this,
      { player } = painter,
      { hide, wanted, quiet } = player.message;
    grid.classList.toggle("quiet", quiet);
    grid.classList.toggle("locked", player.locked("controls"));
    this.hint();
    const figures = /** @type {HTMLElement[]} */ ([...grid.querySelectorAll("figure")]).sort(
      (a, b) => this.order(a) - this.order(b),
    );
    const any = painter.charts.some(({ name }) => wanted.includes(name)); // a film may have none of those that are wanted
    const shown = figures.filter(
      (figure) => !hide.includes(nameOf(figure)) && (!any || wanted.includes(nameOf(figure))),
    );
    const phone = grid.clientWidth <= PHONE;
    const large = phone
      ? this.stays(shown)
      : shown.filter((one, i) => i === 0 || (i === 1 && this.chartOf(one)?.beside));
    const before = grid.dataset.arranged;
    grid.dataset.arranged = [...[large, shown].map((some) => some.map(nameOf)), phone ? "phone" : ""].join(" | ");
    if (grid.dataset.arranged === before) return;
    const others = shown.filter((figure) => !large.includes(figure));
    this.figures = [...large, ...others];
    const uncovered = before ? shown.filter((figure) => figure.hidden) : [];
    for (const shown of painter.views) shown.late ||= Boolean(shown.figure.hidden);
    for (const figure of figures) {
      figure.hidden = !shown.includes(figure);
      (large.includes(figure) ? player.part("main") : side).append(figure);
    }
    const [first, second] = shown.map(upright);
    grid.classList.toggle("pair", large.length > 1);
    grid.classList.toggle("alone", shown.length === large.length);
    grid.classList.toggle("abreast", phone && first && Boolean(second));
    // a wall, or rows of small pictures, needs the whole width
    const whole = !large.length || nameOf(large[0]) === "wall" || shown.length === large.length;
    grid.classList.toggle("words-beside", phone && !whole && !(first && second));
    side.hidden = shown.length === large.length;
    side.classList.toggle("crowded", shown.length - large.length > 2);
    player.part("nothing").hidden = shown.length > 0;
    this.strip.take(others);
    this.speak(uncovered);
    painter.views.forEach(fit);
  }

  /** @type {(shown: HTMLElement[]) => HTMLElement[]} */
  stays(shown) {
    // on a phone the main picture; lines of text, and a high one while a low one is asked on, need the height of both,
    // and are swept with the others
    const [first, second] = shown,
      { asked } = this.painter.player.guess,
      other = asked?.chart && asked.chart !== nameOf(first) && upright(first) && !upright(second);
    return second && (other || this.chartOf(first)?.lines) ? [] : shown.slice(0, 1);
  }

  /** @type {(uncovered?: HTMLElement[]) => void} */
  speak(uncovered = []) {
    const { asked } = this.painter.player.guess,
      about = this.strip.figures.find((figure) => nameOf(figure) === asked?.chart);
    const where = about ? "side" : asked?.chart ? "main" : "";
    const moved = where !== (this.grid.dataset.asked ?? "");
    this.grid.dataset.asked = where;
    this.strip.speak(about, uncovered);
    if (moved) this.painter.views.forEach(fit); // it gets more room on a phone
  }

  /** @type {(figure: HTMLElement) => DrawnChart | undefined} */
  chartOf(figure) {
    return this.painter.charts.find(({ name }) => name === nameOf(figure));
  }

  /** @type {(figure: HTMLElement) => number} */
  order(figure) {
    // as the lesson names them, then in the film's order
    const { wanted } = this.painter.player.message,
      place = wanted.indexOf(nameOf(figure));
    return place < 0 ? wanted.length + this.painter.charts.findIndex(({ name }) => name === nameOf(figure)) : place;
  }

  get seen() {
    // in their order
    return this.painter.views
      .map(({ figure }) => figure)
      .filter((figure) => figure.offsetParent && !figure.classList.contains("veiled"))
      .sort((a, b) => this.order(a) - this.order(b));
  }

  hint() {
    // each chart says what can be done on it now
    const { player } = this.painter,
      { guess, message } = player,
      free = !player.locked("controls"),
      walks = !player.locked("scrub");
    for (const figure of this.grid.querySelectorAll("figure")) {
      const chart = this.chartOf(figure),
        words = /** @type {HTMLElement} */ (figure.querySelector(".hint"));
      words.textContent = chart && !guess.open(chart.name) ? hintOf(chart, message.opens, free, walks) : "";
    }
  }
}
