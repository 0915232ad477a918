// Plays frames on Vega views that stay alive. It knows charts and frames, never a topic.
// Streamlit calls the default export again for every new `data` (a header and typed arrays, see player.py).

export default function ({ data, parentElement: root, setTriggerValue }) {
  const player = (root.player ??= new Player(root));
  player.send = setTriggerValue;
  player.receive(data);
  // Clean-up also runs for a call that has only been superseded: then the root is still on the page.
  return () => setTimeout(() => root.isConnected || player.close());
}

const SPEEDS = [0.5, 1, 2, 5, 15, 60]; // iterations a second
const SMOOTH = 5; // up to this speed, what moves is drawn between iterations too
const STEP_SECONDS = 0.5;
const PATIENCE = 2000; // milliseconds until frames are asked for once more
const AHEAD = 180; // frames to hold beyond the one that plays: three seconds at full speed

const CONTROL = { first: "back", last: "step" }; // what a lesson locks is called by the smaller step

class Player {
  constructor(root) {
    Object.assign(this, { root, t: 0, total: 0, goal: null, wanted: null, playing: false, speed: 2, stride: 1 });
    Object.assign(this, { frames: [], views: [], lock: [], hide: [], busy: Promise.resolve() });
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.$("bar").onclick = (event) => this.act(event.target.closest("button")?.dataset.act);
    this.$("scrub").oninput = (event) => this.jump(+event.target.value);
    this.$("scrub").onchange = () => this.rest();
    this.$("speed").onchange = (event) => this.pace(+event.target.value);
    this.$("stride").onchange = (event) => { this.stride = +event.target.value; };
    this.onkey = (event) => this.key(event);
    this.onpoint = () => { this.pointed = true; };
    document.addEventListener("keydown", this.onkey, true); // before the widget that was clicked last
    document.addEventListener("pointerdown", this.onpoint, true);
    this.dials = new Dials(this.$("dials"), (told) => this.dialled(told));
    this.resize = new ResizeObserver(() => this.resized());
    this.resize.observe(this.$("charts"));
  }

  $(name) { return this.root.querySelector(`[data-part="${name}"]`); }
  get last() { return this.frames.length - 1; }
  get at() { return Math.min(Math.floor(this.t + 1e-9), this.last); } // the frame that is shown
  locked(act) { return this.lock.includes(act); }

  close() {
    this.halt();
    document.documentElement.removeAttribute("data-playing");
    document.removeEventListener("keydown", this.onkey, true);
    document.removeEventListener("pointerdown", this.onpoint, true);
    this.resize.disconnect();
    this.views.forEach(({ view }) => view.finalize());
  }

  resized() {
    if (this.views.length && this.theme !== themeOf(this.root)) this.busy = this.busy.then(() => this.build()).then(() => this.show());
    else this.views.forEach(({ view }) => view.resize().runAsync());
  }

  // ---- messages -------------------------------------------------------------------------------------------------

  receive(bytes) { // one after the other: building charts takes time, and the next message may come meanwhile
    this.busy = this.busy.then(() => this.ingest(decode(bytes))).catch((error) => this.fail(error)).then(() => this.dials.answered());
  }

  async ingest({ head, columns }) {
    clearTimeout(this.again);
    this.asked = false;
    const fresh = head.chain !== this.chain;
    if (head.start > (fresh ? 0 : this.frames.length)) return this.ask(fresh ? 0 : this.frames.length, head.at); // one got lost
    if (fresh) {
      const { chain, charts, layout, data, strides, at: t, go } = head;
      Object.assign(this, { chain, charts, layout, data, t, frames: [], past: [], goal: null, wanted: null, token: go?.token });
      this.offer(strides);
    }
    this.$("now").style.minWidth = `${longest(head.label, head.total) * 0.45}em`; // so that nothing moves when it changes
    this.dials.show(head.dials);
    const { total, label, before, after, lock, hide, link, params } = head;
    Object.assign(this, { columns, total, label, before, after, lock, hide, link, params });
    this.reported = `${this.chain} ${head.at}`; // Python knows
    const news = this.keep(head, columns);
    const still = head.still ?? {};
    this.rested = fresh ? still : { ...this.rested, ...still };
    const drawing = fresh ? JSON.stringify([this.charts, this.layout]) : this.drawing;
    const changed = drawing !== this.drawing || this.theme !== themeOf(this.root);
    this.drawing = drawing;
    if (changed) await this.build();
    else if (fresh) this.refill(); // another run in the same charts
    else for (const { view, sets } of this.views) if (sets.includes("past")) view.insert("past", news);
    for (const [name, value] of Object.entries(params)) this.place(name, value);
    if (!changed && !fresh) for (const [name, columns] of Object.entries(still)) this.replace(name, rowsOf(columns));
    if (this.lock.includes("play")) this.playing = false;
    if (head.go && head.go.token !== this.token) this.goTo(head.go);
    if (fresh) this.enter();
    else if (this.wanted > this.last) this.ask(this.frames.length, this.wanted); // the rest is still being computed
    const waited = this.wanted !== null;
    this.show();
    if (waited && this.wanted === null) { // Python knew where this would end, but not when
      this.reported = null;
      this.rest();
    }
    this.note();
  }

  keep(head, columns) { // store the new frames; their ("past", …) columns become rows of a data set that grows
    const first = this.frames.length;
    for (let frame = first; frame < head.start + head.count; frame++) this.frames.push(columns.map((column) => column.row(frame - head.start)));
    const news = this.frames.slice(first).map((values, i) => {
      const row = { t: first + i };
      columns.forEach(({ set, field }, c) => { if (set === "past") row[field] = values[c][0]; });
      return row;
    });
    this.past.push(...news);
    return news;
  }

  enter() { // a new film opens where Python says; one that plays on from the last chapter goes on playing
    const on = this.turning && this.playing;
    this.turning = false;
    this.jump(this.t);
    if (on) this.toggle();
  }

  turn(by) { // a film can be one chapter of a run: ask for the next or the last one
    this.turning = true;
    this.send("turn", { by, chain: this.chain });
  }

  dialled(told) {
    this.stay ??= Math.floor(this.wanted ?? this.t); // while it is dragged: a run may not have got there yet
    this.halt();
    this.send("dial", { ...told, t: this.stay });
    if (told.done) this.stay = null;
  }

  offer(strides) {
    const select = this.$("stride");
    select.replaceChildren(...strides.map(([label, frames]) => new Option(label, frames)));
    select.hidden = strides.length < 2;
    this.stride = strides[0][1];
  }

  goTo({ token, t, walk }) { // Python moves the player: at once, or step by step
    this.token = token;
    this.playing = false;
    if (walk) this.walkTo(t);
    else this.jump(t);
  }

  ask(held, want = 0) {
    if (this.asked) return;
    this.asked = true;
    this.again = setTimeout(() => { // it may get lost, if the page is busy with another report just then
      this.asked = false;
      if (this.root.isConnected && this.moving) this.ask(this.frames.length, this.wanted ?? this.goal ?? 0);
    }, PATIENCE);
    this.send("need", { held, want: Math.max(want, Math.ceil(this.t)) + AHEAD, chain: this.chain ?? null });
  }

  rest() { // report where the learner is, once, when nothing moves any more
    if (this.moving) return;
    this.note();
    const t = Math.floor(this.t);
    if (this.reported === `${this.chain} ${t}`) return;
    this.reported = `${this.chain} ${t}`;
    this.send("rest", { t, chain: this.chain });
  }

  note() { // the address bar reproduces what is on the screen; no history entries, so Back leaves the page
    if (this.playing || !this.root.isConnected) return;
    history.replaceState(history.state, "", `?${this.link}&t=${Math.floor(this.t)}`);
  }

  // ---- transport ------------------------------------------------------------------------------------------------

  act(name) {
    if (!name || this.locked(CONTROL[name] ?? name)) return;
    const acts = {
      play: () => this.toggle(),
      step: () => (this.t >= this.total && this.after ? this.turn(1) : this.walkTo(Math.floor(this.goal ?? this.t) + this.stride)),
      back: () => (this.t <= 0 && this.before ? this.turn(-1) : this.settle(Math.ceil(this.t) - this.stride)),
      first: () => this.settle(0),
      last: () => this.settle(this.total),
      slower: () => this.pace(SPEEDS[Math.max(0, SPEEDS.indexOf(this.speed) - 1)]),
      link: () => this.copyLink(),
      faster: () => this.pace(SPEEDS[Math.min(SPEEDS.length - 1, SPEEDS.indexOf(this.speed) + 1)]),
    };
    acts[name]();
  }

  key(event) {
    if (!this.root.isConnected) return this.close();
    const target = event.composedPath()[0];
    if (event.key === "Tab") this.pointed = false;
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (target.closest?.("input:not([type=range], [type=radio]), textarea, select, [role=slider], [contenteditable=true]")) return;
    // whoever walks by Tab moves among choices with the arrows; after a click on one, the arrows are the player's again
    if (!this.pointed && target.closest?.("[role=radio], [role=tab], [type=radio]")) return;
    if (target.type === "range" && target !== this.$("scrub")) return;
    const name = { " ": "play", ArrowRight: "step", ArrowLeft: "back", Home: "first", End: "last", "+": "faster", "-": "slower" }[event.key];
    if (!name || this.locked(CONTROL[name] ?? name) || (event.key === " " && target.closest?.("button, summary, a"))) return;
    event.preventDefault();
    event.stopPropagation();
    this.act(name);
  }

  halt() { this.playing = false; this.goal = this.wanted = null; }
  settle(t) { this.jump(t); this.rest(); }
  get moving() { return this.playing || this.goal !== null || this.wanted !== null; }

  toggle() {
    const { moving } = this;
    this.halt();
    if (moving) {
      if (this.speed > SMOOTH) this.t = Math.floor(this.t);
      this.show();
      return this.rest();
    }
    if (this.t >= this.total) this.t = 0;
    this.playing = true;
    this.run();
  }

  walkTo(t) { // an unfinished walk is finished at once: two quick clicks are two steps
    if (this.goal !== null) this.t = this.goal;
    this.playing = false;
    this.goal = Math.min(t, this.total);
    if (this.still.matches) this.t = Math.min(this.goal, Math.max(this.t, this.last));
    this.run();
  }

  jump(t) {
    this.halt();
    this.wanted = Math.max(0, Math.min(this.total, t));
    this.t = Math.min(this.wanted, this.last);
    if (this.t === this.wanted) this.wanted = null;
    else this.ask(this.frames.length, this.wanted);
    this.show();
  }

  async copyLink() {
    this.note();
    const button = this.root.querySelector("[data-act=link]");
    button.textContent = await navigator.clipboard?.writeText(location.href).then(() => "Copied", () => null) ?? "See the address bar";
    setTimeout(() => { button.textContent = "Link"; }, 2000);
  }

  pace(speed) { this.speed = speed; this.$("speed").value = speed; }

  run() {
    if (this.ticking) return;
    this.ticking = true;
    let then = null;
    const tick = (now) => {
      const seconds = then === null ? 1 / 60 : Math.min(0.1, (now - then) / 1000);
      then = now;
      this.ticking = this.root.isConnected && this.advance(seconds);
      if (this.ticking) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  advance(seconds) { // move on by so much time; false when there is nothing more to do
    const end = this.goal ?? (this.playing ? this.total : this.t);
    const pace = this.goal === null ? this.speed : Math.max(1, end - Math.floor(this.t)) / STEP_SECONDS;
    const rate = this.goal === null ? pace : Math.min(pace, 60);
    if (this.last - this.t < AHEAD / 2 && this.last < this.total) this.ask(this.frames.length, this.goal ?? 0);
    this.t = Math.min(this.t + rate * seconds, end, Math.max(this.t, this.last)); // waits here for frames still on their way
    const arrived = this.t >= end;
    const on = arrived && this.playing && this.after;
    if (arrived && !on) this.halt();
    this.show();
    if (on) this.turn(1);
    else if (arrived) this.rest();
    return !arrived;
  }

  // ---- painting -------------------------------------------------------------------------------------------------

  async build() {
    const vegaEmbed = await runtime();
    this.theme = themeOf(this.root);
    const colors = colorsOf(this.root);
    this.views.forEach(({ view }) => view.finalize());
    const grid = this.$("charts");
    grid.style.setProperty("--areas", this.layout.areas);
    grid.style.setProperty("--columns", this.layout.columns);
    this.views = [];
    grid.replaceChildren(...this.charts.map((chart) => figureOf(chart)));
    for (const [i, chart] of this.charts.entries()) {
      const figure = grid.children[i];
      const spec = { ...typeScaled(chart.spec), width: "container", height: "container" };
      const { view } = await vegaEmbed(figure.querySelector(".canvas"), spec, { renderer: "canvas", actions: false, config: configOf(colors) });
      for (const [name, value] of Object.entries({ ...colors, ...this.params })) if (has(spec, name)) view.signal(name, value);
      const text = JSON.stringify(spec);
      const sets = [...Object.keys(this.data), "past"].filter((name) => text.includes(`"name":"${name}"`));
      for (const name of sets) view.insert(name, this.rows(name));
      await view.runAsync();
      await view.resize().runAsync(); // a new view fits a little differently than one that was resized: let them be alike
      const params = Object.keys(this.params).filter((name) => has(spec, name));
      this.views.push({ view, figure, sets, live: this.changing(sets), params, caption: chart.caption, framed: has(spec, "frame") });
      if (chart.hand) {
        const moved = (name, place) => { this.place(name, place); this.show(); };
        const released = (touch) => { moved(touch.hand, [touch.x, touch.y]); this.send("touch", { ...touch, chain: this.chain }); };
        handOn({ view, chart, canvas: figure.querySelector("canvas") }, moved, released);
      }
    }
    this.painted = null;
  }

  refill() { // all data at once, as one run paints them; a second change before it would replace the first
    for (const shown of this.views) shown.live = this.changing(shown.sets);
    for (const name of [...Object.keys(this.data), "past"]) this.replace(name, this.rows(name));
    this.painted = this.at;
    this.full = true;
  }

  replace(name, rows) {
    for (const { view, sets } of this.views) if (sets.includes(name)) view.change(name, view.changeset().remove(() => true).insert(rows.map((row) => ({ ...row }))));
  }

  rows(name) { // as they are in the current frame
    if (name === "past") return this.past;
    if (this.rested[name]) return rowsOf(this.rested[name]); // drawn at rest alone: Python sends it once, themes may change
    const rows = rowsOf(this.data[name]), values = this.frames[this.at];
    this.columns.forEach(({ set, field }, c) => { if (set === name) for (const row of rows) row[field] = values[c][row.i]; });
    return rows;
  }

  changing(sets) { return sets.filter((name) => name !== "past" && this.columns.some(({ set }) => set === name)); }

  place(name, value) { // set a parameter on every chart that knows it
    this.params[name] = value;
    for (const { view, params } of this.views) if (params.includes(name)) view.signal(name, value);
  }

  show() {
    if (!this.views.length || this.last < 0) return;
    if (this.wanted !== null && this.wanted <= this.last) [this.t, this.wanted] = [this.wanted, null];
    const { at } = this, values = this.frames[at];
    if (this.full && this.painted !== at) this.views.forEach(({ view }) => view.run());
    this.full = false;
    const exact = this.still.matches || (this.playing && this.speed > SMOOTH) ? at : this.t;
    const said = { t: at, total: this.total };
    this.columns.forEach(({ set, field }, c) => { if (set === "say") said[field] = values[c][0]; });
    for (const { view, live, framed, figure, caption } of this.views) {
      if (framed) view.signal("frame", exact);
      if (this.painted !== at) {
        for (const name of live) { // one change a set: a second would replace the first
          const changes = view.changeset();
          this.columns.forEach(({ set, field }, c) => { if (set === name) changes.modify(() => true, field, (row) => values[c][row.i]); });
          view.change(name, changes);
        }
      }
      const now = figure.querySelector("figcaption .now"), words = fill(caption, said);
      if (now.textContent !== words) now.textContent = words;
      view.run();
    }
    this.painted = at;
    this.describe(at, said);
    this.controls();
  }

  describe(at, said) {
    const bar = this.$("scrub");
    bar.max = this.total;
    bar.value = at;
    const label = fill(this.label, said);
    bar.setAttribute("aria-valuetext", label);
    this.$("now").textContent = this.wanted === null ? label : `computing ${this.last} of ${this.wanted}`;
  }

  controls() {
    const moving = this.playing || this.wanted !== null || this.goal - this.t > 1; // a single step is over at once
    const start = this.t <= 0, over = this.t >= this.total;
    const end = { back: start && !this.before, first: start, step: over && !this.after, last: over };
    for (const button of this.root.querySelectorAll("button[data-act]")) {
      const { act } = button.dataset;
      button.disabled = this.locked(CONTROL[act] ?? act) || Boolean(end[act]);
    }
    this.$("scrub").disabled = this.locked("scrub");
    for (const { figure } of this.views) figure.classList.toggle("hidden", this.hide.includes(figure.style.gridArea.split(" ")[0]));
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
