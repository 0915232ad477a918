// Plays frames on Vega views that stay alive. It knows charts and frames, never a topic.
// Streamlit calls the default export again for every new message (see player.py); films and frames come by routes.

import { PRESSED, answered, turned } from "./answering.js";
import { colorsOf, element, fit, isDark, living, rowsOf, themeOf } from "./canvas.js";
import { Dials, Latest } from "./dials.js";
import { Guess } from "./guess.js";
import { Leading } from "./leading.js";
import { CSS, HTML } from "./made.js";
import { CONTROL, Painter } from "./painting.js";
import { Pointing } from "./pointing.js";
import {
  LONGEST,
  SMOOTH,
  firstStop,
  framesNeeded,
  isAt,
  nextRest,
  nextStop,
  placeOf,
  searchOf,
  untold,
  walked,
} from "./reckoning.js";
import { Resting } from "./resting.js";
import { fetched, speakFor } from "./source.js";
import { Taking } from "./taking.js";

export default function ({ data: [data], parentElement: root, setTriggerValue }) {
  const player = (root.player = living(root, Player));
  player.post = setTriggerValue;
  player.receive(data);
  // Clean-up also runs for a call that has only been superseded: then the root is still on the page.
  return () => setTimeout(() => root.isConnected || player.close());
}

const SPEEDS = [0.5, 1, 2, 5, 15, 60]; // iterations a second
const ENCORE = 2500; // milliseconds before a poster plays again
const PATIENCE = 2000; // milliseconds until a report is told once more
const SOON = 300; // milliseconds until it is said that the first frames are being made
const PAUSE = 2000; // milliseconds between two steps, from which on each is told at once
const LASTING = 150; // milliseconds of rest before what is drawn at rest alone is asked for

const SETS = ["change", "keydown"]; // what sets a widget, besides clicks

const COVER = "cover";

class Player extends Painter {
  constructor(root) {
    super();
    root.innerHTML = `<style>${CSS}</style>${HTML}`;
    Object.assign(this, {
      root,
      host: root.host ?? root,
      t: 0,
      total: 0,
      goal: null,
      wanted: null,
      playing: false,
      speed: 2,
      hurry: null,
      stride: 1,
    });
    Object.assign(this, {
      frames: [],
      views: [],
      trails: [],
      ahead: [],
      lasts: 0.5,
      lock: [],
      hide: [],
      params: {},
      unheard: [],
      count: 0,
      due: 0,
      busy: Promise.resolve(),
    });
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.$("bar").onclick = (event) => this.act(event.target.closest("button")?.dataset.act);
    this.$("scrub").oninput = (event) => this.jump(+event.target.value);
    this.$("scrub").onchange = () => this.rest();
    this.$("speed").onchange = (event) => this.pace(+event.target.value);
    this.onkey = (event) => this.key(event);
    this.onpoint = (event) => {
      this.pointed = true;
      if (!event.composedPath().includes(this.root)) this.flush();
    };
    document.addEventListener("keydown", this.onkey, true); // before the widget that was clicked last
    document.addEventListener("pointerdown", this.onpoint, true);
    this.onclick = (event) => this.hold(event);
    document.addEventListener("click", this.onclick, true);
    this.onset = (event) => event.composedPath().includes(this.root) || this.yield();
    for (const kind of SETS) document.addEventListener(kind, this.onset, true);
    this.onback = (event) => event.isTrusted || event.state?.led || this.note("now"); // the store's, before it has the page run from the address
    window.addEventListener("popstate", this.onback, true); // before Streamlit's
    this.onmoved = ({ detail }) => this.poster || this.locked("controls") || this.send("move", detail); // on the cards
    document.addEventListener("samplescope:moved", this.onmoved);
    this.pointing = new Pointing(root, (mark) => this.light(mark));
    this.latest = new Latest((told) => ("hand" in told ? this.send("touch", told) : this.dialled(told)));
    this.dials = new Dials(this.$("dials"), this.latest);
    this.guess = new Guess((kind, report) => this.send(kind, report));
    this.leading = new Leading(this);
    this.resting = new Resting(this);
    this.taking = new Taking(root, root.querySelector("[data-act=take]"), () => this.moment());
    this.resize = new ResizeObserver(() => this.resized());
    this.resize.observe(this.$("charts"));
  }

  close() {
    this.halt();
    clearTimeout(this.telling);
    clearTimeout(this.encore);
    this.opening?.abort();
    document.documentElement.removeAttribute("data-playing");
    document.removeEventListener("keydown", this.onkey, true);
    document.removeEventListener("pointerdown", this.onpoint, true);
    document.removeEventListener("click", this.onclick, true);
    for (const kind of SETS) document.removeEventListener(kind, this.onset, true);
    window.removeEventListener("popstate", this.onback, true);
    document.removeEventListener("samplescope:moved", this.onmoved);
    this.resize.disconnect();
    this.pointing.close();
    this.leading.close();
    this.resting.close();
    this.views.forEach(({ view }) => view.finalize());
  }

  // ---- messages -------------------------------------------------------------------------------------------------

  receive(head) {
    // one after the other: building charts takes time, and the next message may come meanwhile
    speakFor(head.session);
    this.newest = head.chain;
    if (this.opening?.chain !== head.chain) this.opening?.abort();
    this.queue(() =>
      this.ingest(head)
        .catch((error) => this.fail(error))
        .then(() => this.latest.answered(this.heard)),
    );
  }

  queue(work) {
    this.due += 1;
    this.resting.stir();
    this.busy = this.busy.then(work).finally(() => {
      this.due -= 1;
    });
  }

  send(kind, report) {
    // told again with the next one until a message says that it was heard: one may get lost
    if (kind !== "rest") this.flush();
    const number = ++this.count;
    this.resting.stir();
    this.unheard = untold(this.unheard, { kind, number, chain: this.chain ?? null, ...report });
    this.tell(PATIENCE);
    return number;
  }

  tell(patience) {
    clearTimeout(this.again);
    if (!this.root.isConnected || !this.unheard.length) return;
    if (this.yields) {
      this.again = setTimeout(() => this.tell(patience));
      return;
    }
    this.post("told", [...this.unheard]);
    this.sending = true;
    setTimeout(() => {
      this.sending = false;
    });
    this.again = setTimeout(() => this.tell(2 * patience), patience);
  }

  // Streamlit sends what it is told in one turn as one message, and has only the stage drawn for one of the player's. So
  // what is pressed on the page and what the player tells have turns of their own, in the order in which they came.

  hold(event) {
    // a press after a report comes once that is sent
    const path = event.composedPath(),
      [target] = path; // in a shadow root the event's own target is only the host
    if (path.includes(this.root)) return;
    this.flush();
    if (!this.sending) return this.yield();
    event.preventDefault();
    event.stopImmediatePropagation();
    setTimeout(() => target.isConnected && target.dispatchEvent(new event.constructor(event.type, event)));
  }

  yield() {
    // a report after a press
    clearTimeout(this.yields);
    this.yields = setTimeout(() => {
      this.yields = setTimeout(() => {
        this.yields = null;
      });
    }); // Streamlit's turn is between
  }

  acknowledge(heard) {
    this.heard = heard;
    this.count = Math.max(this.count, heard); // there was a page before this one
    this.unheard = this.unheard.filter(({ number }) => number > heard);
    if (!this.unheard.length) clearTimeout(this.again);
  }

  async ingest(head) {
    this.acknowledge(head.heard);
    Object.assign(this, { poster: Boolean(head.poster), page: head.page });
    const fresh = head.chain !== this.chain;
    if (head.chain !== this.newest) return; // another film is wanted by now
    if (fresh || this.opening.signal.aborted)
      this.opening = Object.assign(new AbortController(), { chain: head.chain });
    const opened = fresh && (await this.opened(head));
    if (opened === null) return;
    const {
      at,
      total,
      label,
      before,
      after,
      lock,
      hide,
      wanted: chosen,
      quiet,
      link,
      until,
      source,
      still: stills,
      opens,
      follows,
    } = head;
    const places = head.poster ? opened?.params : head.params,
      params = {
        ...places,
        told: !quiet,
        lit: this.pointing.mark,
        running: this.playing,
        scrolled: this.params.scrolled ?? 0,
      };
    const drawing = fresh ? JSON.stringify(opened.charts) : this.drawing;
    const changed = drawing !== this.drawing || this.theme !== themeOf(this.root);
    const came = this.link === undefined ? "anew" : placeOf(link) !== placeOf(this.link) ? "on" : "";
    Object.assign(this, {
      drawing,
      total,
      label,
      before,
      after,
      lock,
      hide,
      chosen,
      quiet,
      link,
      params,
      until,
      source,
      stills,
      opens,
      follows,
    });
    if (fresh) {
      const { chain, charts, data, trails, ahead, lasts, strides, first, rested, drawn } = opened;
      Object.assign(this, {
        chain,
        charts,
        data,
        trails,
        ahead,
        lasts,
        t: at,
        frames: [],
        past: [],
        rested,
        drawn,
        goal: null,
        wanted: null,
        token: head.go?.token,
      });
      this.keep(first);
      this.strides = strides;
    }
    this.dials.show(head.dials, lock.includes("controls"));
    this.offer(head.levels);
    this.guess.take(head.ask, head.heard);
    this.reported = `${this.chain} ${at}`; // Python knows
    if (changed) await this.build();
    else if (fresh) this.refill(); // another run in the same charts
    this.arrange();
    for (const [name, value] of Object.entries(params)) if (name !== this.held) this.place(name, value); // what is held stays in the hand
    if (lock.includes("play")) this.playing = false;
    if (head.go && head.go.token !== this.token) this.goTo(head.go);
    if (fresh) this.enter();
    this.show();
    this.host.dataset.drawn = ""; // the page's frame goes, see pages/shell/frame.py
    if (fresh && !changed) this.views.filter(({ params }) => params.some((name) => name in places)).forEach(fit); // axes may end elsewhere, and their labels take other room
    this.fill();
    this.settled();
    if (came === "on") for (const part of document.querySelectorAll(".stMain, .st-key-text")) part.scrollTop = 0; // a step begins at its top
    this.note(came, came === "anew" && head.covered);
    if (head.poster && fresh) this.perform(head.poster);
  }

  perform(pace) {
    // on a cover: by itself, again and again
    clearTimeout(this.encore);
    this.root.querySelector(".player").classList.add("poster");
    this.hurry = null;
    this.speed = pace;
    if (this.still.matches) return this.jump(this.total);
    this.jump(0);
    this.playing = true;
    this.run();
  }

  // ---- films and frames -----------------------------------------------------------------------------------------

  async opened(head) {
    // the film of a message with its first frames; null if another one is wanted meanwhile
    const { signal } = this.opening,
      stop = firstStop(head);
    const ask = (what, args) => fetched(head.source, what, args, (said) => this.say(said), signal);
    const slow = setTimeout(() => this.say("Making the first frames"), SOON);
    try {
      const rested = head.still && head.at < stop ? ask("still", { t: head.at }) : null;
      const [film, first, sets] = await Promise.all([ask("film", {}), ask("frames", { from: 0, to: stop }), rested]);
      return { ...film, first, rested: sets ?? {}, drawn: sets && `${head.still} ${head.at}` };
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    } finally {
      clearTimeout(slow);
    }
  }

  get needed() {
    return framesNeeded(this);
  }

  async fill() {
    // one answer after the other
    if (this.filling) return;
    this.filling = true;
    const {
      chain,
      opening: { signal },
    } = this;
    try {
      while (this.chain === chain && this.frames.length < this.needed && this.root.isConnected) {
        const start = this.frames.length,
          stop = nextStop(start, this);
        const more = await fetched(
          this.source,
          "frames",
          { from: start, to: stop },
          (said, lost) => this.say(lost ? said : null),
          signal,
        ); // how far it is, the bar says by itself
        if (this.chain === chain) this.take(more);
      }
    } catch (error) {
      if (!signal.aborted) this.fail(error);
    }
    this.filling = false;
    if (this.chain !== chain) this.fill();
  }

  take(more) {
    // frames that were asked for are there
    const news = this.keep(more),
      waited = this.wanted !== null;
    for (const { view, sets } of this.views) if (sets.includes("past")) view.insert("past", news);
    this.show();
    if (waited && this.wanted === null) {
      // Python knew where this would end, but not when
      this.reported = null;
      this.rest();
    }
  }

  settled() {
    // what is drawn at rest alone is asked for once rest lasts
    clearTimeout(this.stilling);
    this.stilling = null;
    const t = Math.floor(this.t),
      key = `${this.stills} ${t}`;
    if (!this.stills || this.moving || key === this.drawn) return;
    const {
        opening: { signal },
      } = this,
      soon = Number(this.drawn?.split(" ").at(-1)) === t; // something else has changed than the iteration
    this.stilling = setTimeout(
      async () => {
        const sets = await fetched(this.source, "still", { t }, () => {}, signal).catch(
          (error) => signal.aborted || console.error(error),
        );
        if (this.stills && t === Math.floor(this.t) && !this.moving && typeof sets === "object") {
          this.rested = sets;
          for (const [name, columns] of Object.entries(sets)) this.replace(name, rowsOf(columns));
          this.views.forEach(({ view }) => view.run());
          this.drawn = key;
        }
        this.stilling = null;
      },
      soon ? 0 : LASTING,
    );
  }

  say(said) {
    // why nothing moves
    this.said = said;
    if (said) this.$("now").textContent = said;
  }

  keep({ head: { start, count }, columns }) {
    // store the new frames; their ("past", …) columns become rows of a data set that grows
    const first = this.frames.length;
    this.columns = [...columns, ...this.trails];
    for (let frame = first; frame < start + count; frame++)
      this.frames.push(columns.map((column) => column.row(frame - start)));
    const news = this.frames.slice(first).map((values, i) => {
      const row = { t: first + i };
      columns.forEach(({ set, field }, c) => {
        if (set === "past") row[field] = values[c][0];
      });
      return row;
    });
    this.past.push(...news);
    return news;
  }

  enter() {
    // a new film opens where Python says; one that plays on from the last chapter goes on playing
    const on = this.turning && this.playing;
    this.turning = false;
    this.jump(this.t, true);
    if (on) this.toggle();
  }

  turn(by) {
    // a film can be one chapter of a run: ask for the next or the last one
    this.turning = true;
    this.send("turn", { by });
  }

  dialled(told) {
    this.stay ??= Math.floor(this.wanted ?? this.t); // while it is dragged: a run may not have got there yet
    const t = this.stay;
    if (told.done) this.stay = null;
    const { wanted } = this;
    this.halt();
    this.wanted = wanted; // one key is two reports: the film of the first may still be on its way there
    return this.send("dial", { ...told, t });
  }

  open(mark) {
    const [what, which] = mark.split("-");
    this.send("open", { what, which: +which, t: Math.floor(this.t) });
  }

  offer(levels) {
    // what Step can go by: frames of this film, or those of one that shows the run from nearer or farther
    const here = new Map(this.strides),
      names = levels.length ? levels : [...here.keys()];
    if (!here.has(this.level)) this.level = this.strides[0][0];
    this.stride = here.get(this.level);
    const box = this.$("levels");
    box.hidden = names.length < 2;
    if (this.names !== names.join()) box.replaceChildren(...names.map((name) => this.levelled(name)));
    this.names = names.join();
    for (const button of box.children) {
      button.setAttribute("aria-pressed", button.textContent === this.level);
      button.disabled = !here.has(button.textContent) && this.locked("controls");
    }
  }

  levelled(name) {
    const button = Object.assign(element("button", "", name), { type: "button" });
    button.onclick = () => {
      const here = this.strides.find(([level]) => level === name);
      this.level = name;
      if (here) this.offer(this.names.split(","));
      else this.send("zoom", { level: name, t: Math.floor(this.t) });
    };
    return button;
  }

  goTo({ token, t, walk }) {
    // Python moves the player: at once, or step by step
    this.token = token;
    this.playing = false;
    if (walk) this.walkTo(t);
    else this.jump(t);
  }

  rest() {
    // report where the learner is, once, when nothing moves any more
    if (this.moving) return;
    if (this.poster) {
      if (!this.still.matches)
        this.encore = setTimeout(() => this.root.isConnected && this.perform(this.speed), ENCORE);
      return;
    }
    this.note();
    clearTimeout(this.telling);
    this.telling = null;
    if (this.reported === this.whereabouts || this.leading.quiet) return this.settled();
    const now = performance.now(),
      since = now - (this.restedAt ?? -Infinity);
    this.restedAt = now;
    // whoever steps on and on has a script run, and what is drawn at rest alone, at the first pause; and cards all along
    if (since > PAUSE || (this.until !== null && this.t >= this.until)) this.report();
    else this.telling = setTimeout(() => this.report(), 1.5 * since + 200);
  }

  get whereabouts() {
    return `${this.chain} ${Math.floor(this.t)}`;
  }

  report() {
    clearTimeout(this.telling);
    this.telling = null;
    this.reported = this.whereabouts;
    this.send("rest", { t: Math.floor(this.t) });
    this.settled();
  }

  flush() {
    // before anything else is told, or pressed on the page
    const walks = this.goal !== null && this.goal - this.t <= this.stride && this.goal <= this.last; // a step is under way
    if (walks) this.jump(this.goal);
    if (walks || this.telling || this.leading.untold) this.report();
  }

  note(came = "", covered = false) {
    // the address bar reproduces what is on the screen; each step of a lesson is an entry in the history
    if (((this.playing || this.held) && !came) || !this.root.isConnected) return;
    if (!isAt(this.source, location.pathname)) return; // another page's address, to which Back has led, or no film yet
    if (this.poster) return history.replaceState({ ...history.state, place: COVER }, "");
    const place = placeOf(this.link),
      noted = history.state?.place;
    if (noted && noted !== place && !came) return; // Back or Forward was pressed, and Python has not answered yet
    const on = covered || (noted && (came === "on" || noted === COVER)); // a page that was just opened has no entry of ours to keep
    history[on && noted !== place ? "pushState" : "replaceState"](
      { ...history.state, place },
      "",
      searchOf(this.link, this.t, location.search),
    );
  }

  // ---- transport ------------------------------------------------------------------------------------------------

  act(name) {
    if (!name || this.locked(CONTROL[name] ?? name)) return;
    this.leading.led = false;
    const acts = {
      play: () => this.toggle(),
      step: () =>
        this.t >= this.total && this.after ? this.turn(1) : this.walkTo(this.from(Math.floor(this.goal ?? this.t), 1)),
      back: () => (this.t <= 0 && this.before ? this.turn(-1) : this.settle(this.from(Math.ceil(this.t), -1))),
      first: () => this.settle(0),
      last: () => this.settle(this.stop),
      goal: () => this.runTo(this.until),
      slower: () => this.pace(SPEEDS[Math.max(0, SPEEDS.indexOf(this.speed) - 1)]),
      link: () => this.copyLink(),
      take: () => this.taking.open(),
      faster: () => this.pace(SPEEDS[Math.min(SPEEDS.length - 1, SPEEDS.indexOf(this.speed) + 1)]),
    };
    acts[name]();
  }

  key(event) {
    if (!this.root.isConnected) return this.close();
    if (this.poster || this.host.closest("[inert]")) return; // a class is paused
    const target = event.composedPath()[0];
    if (event.key === "Tab") this.pointed = false;
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (
      target.closest?.("input:not([type=range], [type=radio]), textarea, select, [role=slider], [contenteditable=true]")
    )
      return;
    if (turned(event) || answered(event, this.pointed)) return event.preventDefault();
    // whoever walks by Tab presses buttons by Space and moves among choices by arrows; after a click, both are the player's
    if (!this.pointed && target.closest?.("[role=radio], [role=tab], [type=radio]")) return;
    if (target.type === "range" && target !== this.$("scrub")) return;
    const name = {
      " ": "play",
      ArrowRight: "step",
      ArrowLeft: "back",
      Home: "first",
      End: "last",
      "+": "faster",
      "-": "slower",
    }[event.key];
    if (!name) this.flush();
    if (!name || (event.key === " " && !this.pointed && target.closest?.(PRESSED))) return;
    if (event.key === " ") target.closest?.(PRESSED)?.blur(); // or it would be pressed again when the key is let go
    if (this.locked(CONTROL[name] ?? name)) return;
    event.preventDefault();
    event.stopPropagation();
    this.act(name);
  }

  from(t, by) {
    return nextRest(t, by, this.stride);
  }

  halt() {
    this.playing = false;
    this.goal = this.wanted = this.hurry = null;
  }
  settle(t) {
    this.jump(t);
    this.rest();
  }
  get stop() {
    return this.until > this.t ? this.until : this.total;
  } // a step's goal comes before the end
  get rate() {
    return this.hurry ?? this.speed;
  } // iterations a second
  get moving() {
    return this.playing || this.goal !== null || this.wanted !== null;
  }
  get restless() {
    return this.moving || this.filling || Boolean(this.stilling || this.telling);
  }

  toggle() {
    const { moving } = this;
    this.halt();
    if (moving) {
      if (this.rate > SMOOTH) this.t = Math.floor(this.t);
      this.show();
      return this.rest();
    }
    if (this.t >= this.total) this.t = 0;
    this.playing = true;
    this.run();
  }

  runTo(t) {
    // in a moment, however far it is
    if (this.still.matches) return this.settle(t);
    this.halt();
    this.hurry = Math.max(this.speed, (t - this.t) / LONGEST);
    this.playing = true;
    this.run();
  }

  walkTo(t) {
    // an unfinished walk is finished at once: two quick clicks are two steps
    if (this.goal !== null) this.t = this.goal;
    this.playing = false;
    this.goal = Math.min(t, this.total);
    this.least = (this.goal - this.t) / LONGEST;
    if (this.still.matches) this.t = Math.min(this.goal, Math.max(this.t, this.last));
    this.run();
  }

  jump(t, arriving = false) {
    // where a film opens, cards have no numbers of iterations on the way
    this.resting.stir();
    this.halt();
    this.arriving = arriving;
    this.wanted = Math.max(0, Math.min(this.total, t));
    this.t = Math.min(this.wanted, this.last);
    if (this.t === this.wanted) this.wanted = null;
    this.fill();
    this.show();
  }

  async copyLink() {
    this.note();
    const button = this.root.querySelector("[data-act=link]");
    const said = button.querySelector(".said");
    said.textContent =
      (await navigator.clipboard?.writeText(location.href).then(
        () => "Copied",
        () => null,
      )) ?? "See the address bar";
    setTimeout(() => {
      said.textContent = "";
    }, 2000);
  }

  moment() {
    // what can be taken away: where the run is, and the charts that are seen
    const seen = this.views
      .map(({ figure }) => figure)
      .filter((figure) => figure.offsetParent)
      .sort((a, b) => this.order(a) - this.order(b));
    const charts = seen.map(({ dataset: { chart } }) => this.charts.find(({ name }) => name === chart));
    return {
      source: this.source,
      t: this.at,
      link: this.link,
      charts,
      view: (name) => this.views.find(({ figure: { dataset } }) => dataset.chart === name).view,
      figure: (name) => seen.find(({ dataset }) => dataset.chart === name),
      paper: colorsOf(this.root).paper,
      dark: isDark(this.root),
      quiet: this.quiet,
    };
  }

  pace(speed) {
    this.speed = speed;
    this.$("speed").value = speed;
  }

  run() {
    this.resting.stir();
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

  advance(seconds) {
    // move on by so much time; false when there is nothing more to do
    if (!this.playing && this.goal === null) return false; // paused, or a jump took over: it waits for its frames by itself
    const end = this.goal ?? (this.playing ? this.stop : this.t);
    this.fill();
    this.t = walked(this, end, seconds);
    const arrived = this.t >= end;
    const on = arrived && this.playing && this.after && end === this.total && !this.leading.led;
    if (arrived && !on) this.halt();
    this.show();
    if (on) this.turn(1);
    else if (arrived) this.rest();
    return !arrived;
  }
}
