// The charts for whoever reads instead of looking: a sentence after each of them, a table of all that is drawn behind a key,
// and, where a question asks for a mark, a list of the marks. `player` is the one of player.js.

import { colorsOf, element } from "./canvas.js";
import { tileList } from "./choosing.js";
import { picksIn, seenIn } from "./seen.js";
import { VEILED, sentenceOf, tabled, tablesOf } from "./telling.js";

/** @import { DrawnChart } from "../messages.js" */
/** @import { Player } from "./player.js" */
/** @import { Chart, Seen } from "./seen.js" */

/** @typedef {{ figure: HTMLElement, title: string, seen: Seen | null }} ReadChart */

export class Reading {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.box = player.part("tables");
    player.part("read").onclick = () => this.open();
  }

  /** @type {() => ReadChart[]} */
  charts() {
    // those that are shown, in their order; of one that is veiled nothing is seen
    const { painter } = this.player,
      { charts, view } = painter.moment();
    return painter.arrangement.figures.flatMap((figure) => {
      /** @type {ReadChart[]} */
      const read = [];
      const chart = charts.find(({ name }) => name === figure.dataset.chart);
      if (chart) read.push({ figure, title: chart.title, seen: this.seen(chart, figure, view(chart.name)) });
      else if (figure.classList.contains("veiled")) read.push({ figure, title: titleOf(figure), seen: null });
      return read;
    });
  }

  /** @type {(chart: DrawnChart, figure: HTMLElement, view: View) => Seen} */
  seen(chart, figure, view) {
    return seenIn(view.scenegraph().root, this.axes(chart, figure, view));
  }

  /** @type {(chart: DrawnChart, figure: HTMLElement, view: View) => Chart} */
  axes({ title, legend }, figure, view) {
    const absent = [...figure.querySelectorAll(".key.absent")].map(({ textContent }) => textContent);
    return {
      title,
      legend: legend.filter(({ text }) => !absent.includes(text)),
      colors: colorsOf(this.player.root),
      scale: (name) => {
        try {
          return view.scale(name);
        } catch {
          return null; // charts in a chart have scales of their own
        }
      },
    };
  }

  tell() {
    // at rest: what moves is not read
    if (this.player.poster) return;
    for (const { figure, seen } of this.charts()) {
      const told = figure.querySelector(".told") ?? figure.appendChild(element("p", "told"));
      told.textContent = seen ? sentenceOf(seen) : VEILED;
    }
    if (this.box.matches(":popover-open")) this.fill();
  }

  open() {
    this.fill();
    this.box.togglePopover();
    if (this.box.matches(":popover-open")) this.box.focus();
  }

  fill() {
    const parts = this.charts().flatMap(({ title, seen }) =>
      seen ? tablesOf(seen).map((table) => tabled(title, table)) : [element("p", "", `${title}: ${VEILED}`)],
    );
    this.box.replaceChildren(...parts);
  }

  offer() {
    // the marks that the question asks for, in a list that comes by Tab
    const { guess, painter, grid } = { ...this.player, grid: this.player.part("charts") };
    grid.querySelector(".picks")?.remove();
    const field = guess.asked?.field,
      shown = painter.views.find(({ figure }) => guess.open(figure.dataset.chart ?? ""));
    const chart = shown && painter.arrangement.chartOf(shown.figure);
    if (!field || !shown || !chart) return;
    const { view, figure } = shown;
    const picks = () => picksIn(view.scenegraph().root, field, this.axes(chart, figure, view));
    const list = tileList({
      title: titleOf(figure),
      does: "arrow keys choose a mark, Enter makes it your guess",
      tiles: () => picks().map(({ mark, text }, i) => ({ x: i, y: -i, mark, text })), // one after the other, either way
      own: 0,
      light: (mark) => this.player.pointing.to(mark),
      open: (_, at) => guess.choose(picks()[at].value),
    });
    list.classList.add("picks");
    figure.append(list);
  }
}

/** @type {(figure: HTMLElement) => string} */
const titleOf = (figure) => figure.querySelector("b")?.textContent ?? "";
