// Paints frames on the charts: Vega's views, which stay alive from film to film where the charts are the same.
// `player` is the one of player.js.

import { Arrangement, nameOf } from "./arranging.js";
import {
  colorsOf,
  configOf,
  figureOf,
  fill,
  fit,
  fontLoaded,
  has,
  keysByRoom,
  isDark,
  larger,
  scrollTo,
  themeOf,
  typeScaled,
} from "./canvas.js";
import { AS_PICTURES } from "./cells.js";
import { tileList } from "./choosing.js";
import { alongTheRun, clickOn, handOn, marksOf } from "./hands.js";
import { VEGA } from "./library.js";
import { SMOOTH } from "./reckoning.js";
import { rateOf } from "./transport.js";

/** @import { Described, DrawnChart, Listed, Touch } from "../messages.js" */
/** @import { Film } from "./film.js" */
/** @import { Player } from "./player.js" */
/**
 * @typedef {{ view: View, figure: HTMLElement, sets: string[], live: string[], params: string[], caption: string,
 *   listed: Listed | null, framed: boolean, painted: string | null, full: boolean, took: number, late: boolean }} Shown
 *   a chart: data sets that it has, those that change, its parameters, which frames' numbers are on it, whether all of
 *   its data have been put in and not drawn yet, the milliseconds that its last painting took, and whether it has been built
 *   or uncovered and not painted since: it was laid out by what another frame has
 */

const FLUENT = 30; // iterations a second; above it, the charts beside the main picture are painted in turn

export class Painter {
  /** @type {Shown[]} */ views = [];
  /** @type {DrawnChart[]} in the film's order */ charts = [];
  /** @type {Record<string, any>} parameters of the charts, as they are now */ params = {};
  /** @type {string | undefined} the charts that were built, as text */ drawing;
  /** @type {string | undefined} in which colours and type */ theme;
  /** @type {string | null} what a hand is on */ held = null;
  /** @type {number | undefined} the item of a list that was brought into sight last */ followed;

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.arrangement = new Arrangement(this);
    this.resize = new ResizeObserver(() => this.resized());
    this.resize.observe(this.arrangement.grid);
  }

  close() {
    this.resize.disconnect();
    this.views.forEach(({ view }) => view.finalize());
  }

  run() {
    this.views.forEach(({ view }) => view.run());
    this.keepSpots();
  }

  keepSpots() {
    // the places that a question offers are on axes, which may have come to end elsewhere
    const { guess } = this.player;
    if (guess.asked?.places) Promise.all(this.views.map(({ view }) => view.runAsync())).then(() => guess.show());
  }

  /** @type {(described: Described, params: Record<string, unknown>, fresh: boolean) => boolean} */
  takes(described, params, fresh) {
    // the charts of a fresh film, and parameters; whether charts have to be built
    const drawing = fresh ? JSON.stringify(described.charts) : this.drawing,
      changed = drawing !== this.drawing || this.theme !== themeOf(this.player.root);
    this.drawing = drawing;
    this.charts = described.charts;
    this.params = { ...params, running: this.player.state.playing, scrolled: this.params.scrolled ?? 0 };
    return changed;
  }

  resized() {
    const { player } = this;
    if (this.views.length) this.arrangement.arrange();
    if (this.views.length && this.theme !== themeOf(player.root))
      player.queue(() => this.build().then(() => this.show()));
    else player.queue(() => Promise.all(this.views.map(fit)));
    this.arrangement.reach();
  }

  // ---- the charts -----------------------------------------------------------------------------------------------

  async build() {
    const [{ default: vegaEmbed }] = await Promise.all([VEGA, fontLoaded()]);
    const { player } = this,
      colors = colorsOf(player.root);
    this.theme = themeOf(player.root);
    this.views.forEach(({ view }) => view.finalize());
    const figures = this.charts.map((chart) => figureOf(chart, (top) => this.scrolled(chart.listed, top)));
    this.views = [];
    this.arrangement.begin(figures);
    // the main picture first, and shown at once; what is hidden last
    /** @type {(figure: HTMLElement) => number} */
    const rank = (figure) => (figure.hidden ? 2 : Number(this.arrangement.beside(figure)));
    for (const figure of [...figures].sort((a, b) => rank(a) - rank(b))) {
      const chart = this.charts[figures.indexOf(figure)];
      const spec = { ...typeScaled(chart.spec), width: "container", height: "container" };
      const place = /** @type {HTMLElement} */ (figure.querySelector(".canvas"));
      const { view } = await vegaEmbed(place, spec, {
        renderer: "canvas",
        actions: false,
        config: configOf(colors),
        ...AS_PICTURES,
      });
      Object.assign(place, { role: "img", ariaLabel: chart.alt, ariaRoleDescription: null }); // Vega takes the name away
      for (const [name, value] of Object.entries({ ...colors, larger: larger(), ...this.params }))
        if (has(spec, name)) view.signal(name, value);
      const text = JSON.stringify(spec);
      const sets = [...Object.keys(this.film.data), "past"].filter((name) => text.includes(`"name":"${name}"`));
      for (const name of sets) view.insert(name, this.rows(name));
      keysByRoom(view, spec, figure);
      await view.runAsync();
      this.views.push({
        view,
        figure,
        sets,
        live: this.film.changing(sets),
        params: Object.keys(this.params).filter((name) => has(spec, name)),
        caption: chart.caption,
        listed: chart.listed,
        framed: has(spec, "frame"),
        painted: this.whole,
        full: false,
        took: 0,
        late: true,
      });
      player.guess.watch(view, figure, chart.name);
      player.pointing.watch(view);
      this.hear(chart, view, figure);
      if (this.views.length > 1) continue;
      await fit(this.views[0]);
      this.show();
      player.host.dataset.drawn = ""; // the page's frame goes, see pages/lesson/frame.py
    }
    await Promise.all(this.views.map(fit));
    for (const { figure, listed } of this.views) if (listed) scrollTo(figure, listed, this.params.scrolled);
  }

  /** @type {(chart: DrawnChart, view: View, figure: HTMLElement) => void} */
  hear(chart, view, figure) {
    // what the pointer does on a chart
    const { player } = this,
      canvas = /** @type {HTMLCanvasElement} */ (figure.querySelector("canvas")),
      free = () => !player.guess.open(chart.name);
    if (chart.hand)
      handOn(
        { view, chart, canvas, place: (name) => this.params[name], free: () => free() && !player.locked("controls") },
        (touch) => this.touched(touch),
        () => {
          this.held = null;
        },
      );
    /** @type {(mark: string) => boolean} */
    const leads = (mark) => free() && !player.locked("controls") && player.message.opens.includes(mark.split("-")[0]);
    const along = !chart.hand && alongTheRun(chart.spec),
      walks = () => along && free() && !player.locked("scrub");
    clickOn(
      { view, canvas, leads, walks },
      (mark) => player.open(mark),
      (t) => player.settle(t),
    );
    if (chart.name === "wall") figure.append(this.tiles(chart.title, leads));
  }

  /** @type {(title: string, leads: (mark: string) => boolean) => HTMLElement} */
  tiles(title, leads) {
    const { player } = this;
    return tileList({
      title,
      does: "arrow keys choose a tile, Enter opens it",
      tiles: () =>
        /** @type {any[]} */ (this.rows("runs")).map(({ x, y, mark, seed, value }) => ({
          x,
          y,
          mark,
          text: fill(this.params.told ? "seed {seed}: {value}" : "seed {seed}", { seed, value }),
        })),
      own: this.params.own,
      light: (mark) => player.pointing.to(mark),
      open: (mark) => leads(mark) && player.open(mark),
    });
  }

  moment() {
    // the charts that are seen, and what can be taken away of them
    /** @type {(name: string) => Shown} */
    const shown = (name) => /** @type {Shown} */ (this.views.find(({ figure }) => nameOf(figure) === name));
    return {
      charts: this.arrangement.seen.flatMap((figure) => this.arrangement.chartOf(figure) ?? []),
      view: (/** @type {string} */ name) => shown(name).view,
      figure: (/** @type {string} */ name) => shown(name).figure,
      paper: colorsOf(this.player.root).paper,
      dark: isDark(this.player.root),
    };
  }

  // ---- their data -----------------------------------------------------------------------------------------------

  get film() {
    return /** @type {Film} */ (this.player.film);
  }

  get exact() {
    // with a fraction while something moves
    const { still, state, at } = this.player;
    return still.matches || (state.playing && rateOf(state) > SMOOTH) ? at : state.t;
  }

  get towards() {
    const { film } = this;
    return film.described.ahead.length ? Math.min(Math.ceil(this.exact - 1e-9), film.last) : this.player.at;
  }

  get whole() {
    return `${this.player.at} ${this.towards}`; // which frames' numbers belong on the charts
  }

  get values() {
    return this.film.values(this.player.at, this.towards);
  }

  /** @type {(name: string) => object[]} */
  rows(name) {
    return this.film.rows(name, this.values, this.params.scrolled);
  }

  refill() {
    // all data at once, as one run paints them; a second change before it would replace the first
    for (const shown of this.views)
      Object.assign(shown, { live: this.film.changing(shown.sets), painted: this.whole, full: true });
    for (const name of [...Object.keys(this.film.data), "past"]) this.replace(name, this.rows(name));
  }

  /** @type {(name: string, rows: object[]) => void} */
  replace(name, rows) {
    for (const { view, sets } of this.views)
      if (sets.includes(name))
        view.change(
          name,
          view
            .changeset()
            .remove(() => true)
            .insert(rows.map((row) => ({ ...row }))),
        );
  }

  /** @type {(news: object[]) => void} */
  insert(news) {
    // what waits in a chart that is not painted would be replaced
    for (const { view, sets } of this.views) if (sets.includes("past")) view.run().insert("past", news);
  }

  /** @type {(listed: Listed | null, top: number) => void} */
  scrolled(listed, top) {
    if (!listed || top === this.params.scrolled) return;
    this.place("scrolled", top);
    for (const name of Object.keys(listed.sets)) this.replace(name, this.rows(name));
    this.run();
  }

  follow() {
    // the current item of a list stays in sight
    const { current, scrolled: top } = this.params;
    if (!(current >= 0) || current === this.followed) return;
    this.followed = current;
    for (const { figure, listed } of this.views)
      if (listed && (current < top || current >= top + listed.shown)) scrollTo(figure, listed, current - 2);
  }

  /** @type {(name: string, value: unknown) => void} */
  place(name, value) {
    // set a parameter on every chart that knows it
    this.params[name] = value;
    for (const { view, params } of this.views) if (params.includes(name)) view.signal(name, value);
  }

  placeAll() {
    // but what is held stays in the hand
    for (const [name, value] of Object.entries(this.params)) if (name !== this.held) this.place(name, value);
  }

  /** @type {(touch: Touch) => void} */
  touched(touch) {
    // a hand is on a chart
    const { hand, row, x, y, moved, done } = touch,
      { carries } = this.params;
    this.held = done ? null : hand;
    if (moved && carries === undefined) this.place(hand, [x, y]);
    if (moved && carries >= -1 && row !== null) {
      // the mark itself goes along; the next film has it where it was let go
      this.place("carried", [x, y]);
      this.place("carries", row);
    }
    if (moved) this.show();
    if (done || this.player.message.follows) this.player.latest.put(hand, touch);
  }

  /** @type {(mark: string) => void} */
  light(mark) {
    // what is pointed at, here or elsewhere
    this.place("lit", mark);
    for (const { view, params } of this.views) if (params.includes("lit")) view.run();
    if (!mark || !this.arrangement.strip.swept) return;
    const shown = this.views.filter(({ figure }) => !figure.hidden);
    const has = shown.filter(({ view }) => marksOf(view).some(({ datum }) => datum.mark === mark));
    const figures = has.map(({ figure }) => figure);
    if (figures.every((figure) => this.arrangement.beside(figure))) this.arrangement.strip.sight(figures);
  }

  // ---- a frame --------------------------------------------------------------------------------------------------

  get due() {
    // the charts to paint now
    const { state } = this.player,
      seen = this.views.filter(({ figure }) => !figure.hidden);
    if (!state.playing || rateOf(state) <= FLUENT) return seen;
    const others = seen.filter(({ figure }) => this.arrangement.beside(figure)),
      main = seen.filter((shown) => !others.includes(shown));
    return this.player.pace.due(main, others, this.whole, performance.now());
  }

  show() {
    const { player } = this,
      { film, state, at } = player;
    if (!this.views.length || !film || film.last < 0) return;
    const { values, exact, whole } = this;
    if (this.params.running !== state.playing) this.place("running", state.playing);
    /** @type {Record<string, number>} */
    const said = { t: at, total: state.total, ...film.said(values) };
    if ("current" in said && said.current !== this.params.current) this.place("current", said.current);
    this.follow();
    for (const shown of this.due) {
      const { view, live, framed, figure, caption } = shown,
        start = performance.now(),
        anew = shown.painted !== whole;
      if (framed) view.signal("frame", exact);
      if (anew) {
        if (shown.full) view.run();
        for (const name of live) {
          const changes = view.changeset(); // one a set: a second would replace the first
          film.modify(changes, name, values);
          view.change(name, changes);
        }
      }
      const now = /** @type {Element} */ (figure.querySelector("figcaption .now")),
        words = fill(caption, said);
      if (now.textContent !== words) now.textContent = words;
      /** @type {NodeListOf<HTMLElement>} */
      const keys = figure.querySelectorAll(".key[data-when]");
      /** @type {Record<string, unknown>} */
      const there = { ...said, told: this.params.told };
      for (const key of keys) key.classList.toggle("absent", !there[key.dataset.when ?? ""]);
      view.run();
      Object.assign(shown, { painted: whole, full: false, took: anew ? performance.now() - start : shown.took });
      if (shown.late) fit(shown);
      shown.late = false;
    }
    player.guess.show(exact, state.playing);
    this.keepSpots();
    player.veil();
    player.bar.show(at, said);
    player.announce();
  }
}
