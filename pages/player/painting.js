// Paints frames on the charts, and says in the bar where the player is; `Player` is one of these, and moves it.
// The state in `this` is what messages and transport leave there.

import {
  colorsOf,
  configOf,
  element,
  figureOf,
  fill,
  fit,
  has,
  rowsOf,
  scrollTo,
  themeOf,
  typeScaled,
} from "./canvas.js";
import { alongTheRun, clickOn, handOn } from "./hands.js";
import { SMOOTH, trailOf } from "./reckoning.js";

const VEGA = import(new URL("../vega.js", import.meta.url)); // is on its way while films and frames are asked for

export const CONTROL = { first: "back", last: "step", goal: "play" }; // what a lesson locks is called by the smaller step

export class Painter {
  $(name) {
    return this.root.querySelector(`[data-part="${name}"]`);
  }
  get last() {
    return this.frames.length - 1;
  }
  get at() {
    return Math.min(Math.floor(this.t + 1e-9), this.last);
  } // the frame that is shown
  locked(act) {
    return this.lock.includes(act);
  }

  resized() {
    if (this.views.length && this.theme !== themeOf(this.root)) this.queue(() => this.build().then(() => this.show()));
    else this.queue(() => Promise.all(this.views.map(fit)));
    const { scrollWidth, clientWidth } = this.$("charts");
    this.$("charts").tabIndex = scrollWidth > clientWidth ? 0 : -1; // a strip that can be swept can be reached by key
  }

  async build() {
    const { default: vegaEmbed } = await VEGA;
    this.theme = themeOf(this.root);
    const colors = colorsOf(this.root);
    this.views.forEach(({ view }) => view.finalize());
    const figures = this.charts.map((chart) => figureOf(chart, (top) => this.scrolled(chart.listed, top)));
    this.views = [];
    this.$("charts").dataset.arranged = "";
    this.$("main").replaceChildren();
    this.$("side").replaceChildren(...figures);
    this.arrange();
    for (const [i, chart] of this.charts.entries()) {
      const figure = figures[i];
      const spec = { ...typeScaled(chart.spec), width: "container", height: "container" };
      const { view } = await vegaEmbed(figure.querySelector(".canvas"), spec, {
        renderer: "canvas",
        actions: false,
        config: configOf(colors),
      });
      for (const [name, value] of Object.entries({ ...colors, ...this.params }))
        if (has(spec, name)) view.signal(name, value);
      const text = JSON.stringify(spec);
      const sets = [...Object.keys(this.data), "past"].filter((name) => text.includes(`"name":"${name}"`));
      for (const name of sets) view.insert(name, this.rows(name));
      await view.runAsync();
      const params = Object.keys(this.params).filter((name) => has(spec, name));
      this.views.push({
        view,
        figure,
        sets,
        live: this.changing(sets),
        params,
        caption: chart.caption,
        listed: chart.listed,
        framed: has(spec, "frame"),
      });
      this.guess.watch(view, figure, chart.name);
      this.pointing.watch(view);
      const canvas = figure.querySelector("canvas"),
        free = () => !this.guess.open(chart.name);
      if (chart.hand)
        handOn(
          { view, chart, canvas, place: (name) => this.params[name], free: () => free() && !this.locked("controls") },
          (touch) => this.touched(touch),
          () => {
            this.held = null;
          },
        );
      const leads = (mark) => free() && !this.locked("controls") && this.opens.includes(mark.split("-")[0]);
      const along = !chart.hand && alongTheRun(spec),
        walks = () => along && free() && !this.locked("scrub");
      clickOn(
        { view, canvas, leads, walks },
        (mark) => this.open(mark),
        (t) => this.settle(t),
      );
    }
    await Promise.all(this.views.map(fit));
    for (const { figure, listed } of this.views) if (listed) scrollTo(figure, listed, this.params.scrolled);
    this.painted = null;
  }

  arrange() {
    // the first chart that is shown is the main picture; what is hidden takes no room
    const grid = this.$("charts");
    grid.classList.toggle("quiet", this.quiet);
    grid.classList.toggle("locked", this.locked("controls"));
    const figures = [...grid.querySelectorAll("figure")].sort((a, b) => this.order(a) - this.order(b));
    const any = this.charts.some(({ name }) => this.chosen.includes(name)); // a film may have none of those that are wanted
    const shown = figures.filter(
      ({ dataset: { chart } }) => !this.hide.includes(chart) && (!any || this.chosen.includes(chart)),
    );
    const beside = ({ dataset: { chart } }) => this.charts.find(({ name }) => name === chart).beside;
    const large = shown.filter((figure, i) => i === 0 || (i === 1 && beside(figure)));
    const before = grid.dataset.arranged;
    grid.dataset.arranged = [large, shown].map((some) => some.map((figure) => figure.dataset.chart)).join(" | ");
    if (grid.dataset.arranged === before) return;
    for (const figure of figures) {
      figure.hidden = !shown.includes(figure);
      this.$(large.includes(figure) ? "main" : "side").append(figure);
    }
    grid.classList.toggle("pair", large.length > 1);
    this.$("side").hidden = shown.length === large.length;
    this.$("side").classList.toggle("crowded", shown.length - large.length > 2);
    this.$("nothing").hidden = shown.length > 0;
    this.name([...large, ...shown.filter((figure) => !large.includes(figure))]);
    this.views.forEach(fit);
  }

  name(figures) {
    // of a strip that is swept with a finger, the charts that there are; the one that is asked on comes first
    const grid = this.$("charts"),
      names = this.$("names"),
      at = (figure) => figure.offsetLeft - figures[0].offsetLeft;
    const asked = figures.find(({ dataset: { chart } }) => chart === this.guess.asked?.chart);
    names.replaceChildren(
      ...figures.map((figure) => {
        const name = element("button", "", figure.querySelector("b").textContent);
        return Object.assign(name, {
          type: "button",
          onclick: () => grid.scrollTo({ left: at(figure), behavior: "smooth" }),
        });
      }),
    );
    names.hidden = figures.length < 2;
    grid.onscroll = () => {
      const away = figures.map((figure) => Math.abs(at(figure) - grid.scrollLeft)),
        here = away.indexOf(Math.min(...away));
      [...names.children].forEach((name, i) => name.setAttribute("aria-pressed", i === here));
    };
    if (figures.length) grid.scrollTo({ left: asked ? at(asked) : 0 });
    grid.onscroll();
  }

  order({ dataset: { chart } }) {
    // as the lesson names them, then in the film's order
    const names = this.charts.map(({ name }) => name),
      wanted = this.chosen.indexOf(chart);
    return wanted < 0 ? this.chosen.length + names.indexOf(chart) : wanted;
  }

  refill() {
    // all data at once, as one run paints them; a second change before it would replace the first
    for (const shown of this.views) shown.live = this.changing(shown.sets);
    for (const name of [...Object.keys(this.data), "past"]) this.replace(name, this.rows(name));
    this.painted = this.whole;
    this.full = true;
  }

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

  rows(name) {
    // as they are in the current frame
    if (name === "past") return this.past;
    if (this.rested[name]) return rowsOf(this.rested[name]); // drawn at rest alone; themes may change
    const [start, stop] = this.inSight(name),
      rows = rowsOf(this.data[name]).slice(start, stop),
      { values } = this;
    this.columns.forEach(({ set, field }, c) => {
      if (set === name) for (const row of rows) row[field] = values[c][row.i];
    });
    return rows;
  }

  get values() {
    // of the frame that is shown; of some sets, those of the frame that is being moved to
    const now = this.frames[this.at] ?? [],
      next = this.frames[this.towards] ?? now;
    return [
      ...now.map((row, c) => (this.ahead.includes(this.columns[c].set) ? next[c] : row)),
      ...this.trails.map((trail) => this.trailed(trail)),
    ];
  }

  get exact() {
    return this.still.matches || (this.playing && this.rate > SMOOTH) ? this.at : this.t;
  } // with a fraction while something moves
  get towards() {
    return this.ahead.length ? Math.min(Math.ceil(this.exact - 1e-9), this.last) : this.at;
  }
  get whole() {
    return `${this.at} ${this.towards}`;
  } // which frames' numbers are on the charts

  trailed({ of: [set, field], many, empty }) {
    const column = this.columns.findIndex((one) => one.set === set && one.field === field);
    return trailOf(
      this.frames
        .slice(Math.max(0, this.at - many + 1), this.at + 1)
        .map((frame) => frame[column])
        .reverse(),
      many,
      empty,
    );
  }

  inSight(name) {
    // which rows of a data set are shown, if a chart scrolls through them
    const list = this.charts.map(({ listed }) => listed).find((listed) => name in (listed?.sets ?? {}));
    return list ? [0, list.shown].map((item) => (this.params.scrolled + item) * list.sets[name]) : [];
  }

  scrolled({ sets }, top) {
    if (top === this.params.scrolled) return;
    this.place("scrolled", top);
    for (const name of Object.keys(sets)) this.replace(name, this.rows(name));
    this.views.forEach(({ view }) => view.run());
  }

  follow() {
    // the current item of a list stays in sight
    const { current, scrolled: top } = this.params;
    if (!(current >= 0) || current === this.followed) return;
    this.followed = current;
    for (const { figure, listed } of this.views)
      if (listed && (current < top || current >= top + listed.shown)) scrollTo(figure, listed, current - 2);
  }

  changing(sets) {
    return sets.filter((name) => name !== "past" && this.columns.some(({ set }) => set === name));
  }

  place(name, value) {
    // set a parameter on every chart that knows it
    this.params[name] = value;
    for (const { view, params } of this.views) if (params.includes(name)) view.signal(name, value);
  }

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
    if (touch.moved) this.show();
    if (touch.done || this.follows) this.latest.put(touch.hand, touch);
  }

  light(mark) {
    // what is pointed at, here or elsewhere
    this.place("lit", mark);
    for (const { view, params } of this.views) if (params.includes("lit")) view.run();
  }

  show() {
    if (!this.views.length || this.last < 0) return;
    if (this.wanted !== null) this.t = Math.min(this.wanted, this.last); // the picture follows what is being computed
    if (this.t === this.wanted) this.wanted = null;
    const { at, values, exact, whole } = this;
    if (this.params.running !== this.playing) this.place("running", this.playing);
    if (this.full && this.painted !== whole) this.views.forEach(({ view }) => view.run());
    this.full = false;
    const said = { t: at, total: this.total };
    this.columns.forEach(({ set, field }, c) => {
      if (set === "say") said[field] = values[c][0];
    });
    if ("current" in said && said.current !== this.params.current) this.place("current", said.current);
    this.follow();
    for (const { view, live, framed, figure, caption } of this.views) {
      if (framed) view.signal("frame", exact);
      if (this.painted !== whole) {
        for (const name of live) {
          // one change a set: a second would replace the first
          const changes = view.changeset();
          this.columns.forEach(({ set, field }, c) => {
            if (set === name)
              changes.modify(
                () => true,
                field,
                (row) => values[c][row.i],
              );
          });
          view.change(name, changes);
        }
      }
      const now = figure.querySelector("figcaption .now"),
        words = fill(caption, said);
      if (now.textContent !== words) now.textContent = words;
      for (const key of figure.querySelectorAll(".key[data-when]"))
        key.classList.toggle("absent", !said[key.dataset.when]);
      view.run();
    }
    this.painted = whole;
    this.guess.show(exact);
    this.describe(at, said);
    this.controls();
    const goal = this.goal ?? at; // cards are there before the walk ends
    this.announce(this.arriving && this.wanted !== null ? this.wanted : goal <= this.last ? goal : at);
  }

  announce(t) {
    // for what else on the page follows the film
    this.leading.tell();
    if (this.poster) return;
    const { source, playing, rate: speed, total } = this,
      shown = document.samplescopeShown;
    if (shown?.t === t && shown.source === source && shown.playing === playing && shown.speed === speed) return;
    document.samplescopeShown = { source, t, playing, speed, total };
    document.dispatchEvent(new CustomEvent("samplescope:shown", { detail: document.samplescopeShown }));
  }

  describe(at, said) {
    const bar = this.$("scrub");
    bar.max = this.total;
    bar.value = at;
    const label = fill(this.label, said);
    bar.setAttribute("aria-valuetext", label);
    this.$("now").textContent =
      this.said ?? (this.wanted === null ? label : `computing ${this.last} of ${this.wanted}`);
  }

  controls() {
    const moving = this.playing || this.wanted !== null || this.goal - this.t > 1; // a single step is over at once
    const start = this.t <= 0,
      over = this.t >= this.total;
    const end = { back: start && !this.before, first: start, step: over && !this.after, last: over };
    for (const button of this.root.querySelectorAll("button[data-act]")) {
      const { act } = button.dataset;
      button.disabled = this.locked(CONTROL[act] ?? act) || Boolean(end[act]);
    }
    const goal = this.root.querySelector("[data-act=goal]"),
      ahead = this.until > this.t;
    goal.hidden = !ahead;
    if (ahead) goal.textContent = `Run to ${this.until}`;
    this.root.querySelector("[data-act=last]").hidden = ahead; // goes there too
    this.$("scrub").disabled = this.locked("scrub");
    const play = this.root.querySelector("[data-act=play]");
    play.classList.toggle("on", moving);
    play.classList.toggle("busy", this.wanted !== null);
    play.setAttribute("aria-label", `${this.wanted !== null ? "Stop" : moving ? "Pause" : "Play"} (space)`);
    document.documentElement.toggleAttribute("data-playing", this.playing);
  }

  fail(error) {
    console.error(error);
    this.$("now").textContent = "The charts could not be drawn. Reload the page to try again.";
  }
}
