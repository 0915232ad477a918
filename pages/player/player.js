// Plays frames on Vega views that stay alive. It knows charts and frames, never a topic.
// Streamlit calls the default export again for every new message (see player.py); films and frames come by routes.
//
// How it moves is one pure function (transport.js). What follows of that is done by three servants: the painter paints
// (painting.js, and bar.js below it), the fetcher fetches (fetching.js), the reporter says it to Python (reporting.js).

import { Bar, CONTROL } from "./bar.js";
import { fit, living } from "./canvas.js";
import { Clips } from "./clip.js";
import { Dials, Latest } from "./dials.js";
import { Fetcher } from "./fetching.js";
import { Focusing } from "./focusing.js";
import { Divide } from "./divide.js";
import { Guess } from "./guess.js";
import { pressed } from "./keys.js";
import { Leading } from "./leading.js";
import { CSS, HTML } from "./made.js";
import { Pace } from "./pace.js";
import { Painter } from "./painting.js";
import { Pointing } from "./pointing.js";
import { placeOf } from "./reckoning.js";
import { Reading } from "./reading.js";
import { Reporter } from "./reporting.js";
import { Resting } from "./resting.js";
import { Sharing } from "./sharing.js";
import { speakFor } from "./source.js";
import { Taking } from "./taking.js";
import { START, cardsOf, early, moves, reduced } from "./transport.js";

/** @import { Go, Message, Move, Touch } from "../messages.js" */
/** @import { Root } from "./canvas.js" */
/** @import { Turned } from "./dials.js" */
/** @import { Film } from "./film.js" */
/** @import { Act, Effect, Event as Moved, State } from "./transport.js" */

/** @type {(args: Component<Message>) => () => void} */
export default function ({ data: [data], parentElement: root, setTriggerValue }) {
  const player = (root.player = living(root, Player));
  player.reporter.post = setTriggerValue;
  player.receive(data);
  // Clean-up also runs for a call that has only been superseded: then the root is still on the page.
  return () => setTimeout(() => root.isConnected || player.close());
}

/** @type {Message} before there is any */
const NOTHING = {
  chain: "",
  source: "",
  total: 0,
  label: "",
  before: false,
  after: false,
  at: 0,
  link: "",
  address: "",
  covered: false,
  until: null,
  lock: [],
  wanted: [],
  hide: [],
  quiet: false,
  go: null,
  params: {},
  still: null,
  dials: [],
  levels: [],
  opens: [],
  follows: false,
  ask: null,
  heard: 0,
  session: "",
};

export class Player {
  state = START; // how it moves
  message = NOTHING; // Python's last one
  /** @type {Film | null} */ film = null;
  poster = false;
  /** @type {string | undefined} whose cover it is */ page;
  /** @type {ShownFrame | null} what cards and others on the page heard last */ shown = null;
  /** @type {string | undefined} of the message that came last */ newest;
  /** @type {string | undefined} of the order to go somewhere that was followed last */ token;
  /** @type {number | null} where a dial that is dragged keeps the run */ stay = null;
  turning = false; // another chapter has been asked for
  pointed = false; // the pointer was used after Tab
  ticking = false;
  pace = new Pace();
  due = 0; // messages, and other work on the charts, that wait for one another
  /** @type {Promise<unknown>} */ busy = Promise.resolve();

  /** @param {Root} root */
  constructor(root) {
    root.innerHTML = `<style>${CSS}</style>${HTML}`;
    this.root = root;
    this.host = /** @type {HTMLElement} */ (root.host ?? root);
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.bar = new Bar(this);
    this.painter = new Painter(this);
    this.fetcher = new Fetcher(this);
    this.part("bar").onclick = ({ target }) => this.act(/** @type {Element} */ (target).closest("button")?.dataset.act);
    this.bar.scrub.oninput = () => this.do({ type: "jump", t: +this.bar.scrub.value });
    this.bar.scrub.onchange = () => this.reporter.rest();
    this.bar.speed.onchange = () => this.do({ type: "pace", speed: +this.bar.speed.value });
    this.onkey = (/** @type {KeyboardEvent} */ event) => pressed(this, event);
    this.onpoint = () => {
      this.pointed = true;
    };
    document.addEventListener("keydown", this.onkey, true); // before the widget that was clicked last
    document.addEventListener("pointerdown", this.onpoint, true);
    this.reporter = new Reporter(this);
    this.onmoved = (/** @type {CustomEvent<Move>} */ { detail }) => {
      if (!this.poster && !this.locked("controls")) this.reporter.send("move", detail);
    }; // on the cards
    document.addEventListener("samplescope:moved", this.onmoved);
    this.onlook = () => this.tellShown(); // cards that came later
    document.addEventListener("samplescope:look", this.onlook);
    this.pointing = new Pointing(root, (mark) => this.painter.light(mark));
    /** @type {Latest<Turned | Touch>} */
    this.latest = new Latest((told) => ("hand" in told ? this.reporter.send("touch", told) : this.dialled(told)));
    this.dials = new Dials(this.part("dials"), this.latest);
    this.guess = new Guess(new Divide(this.part("divide"), (value) => this.guess.choose(value)));
    this.leading = new Leading(this);
    this.resting = new Resting(this);
    this.focusing = new Focusing();
    this.reading = new Reading(this);
    this.sharing = new Sharing(root, this.bar.button("link"), () => ({
      address: this.message.address,
      source: this.message.source,
      t: this.at,
      title: this.painter.moment().charts[0]?.title ?? "",
    }));
    this.taking = new Taking(
      root,
      this.bar.button("take"),
      () => ({
        source: this.message.source,
        t: this.at,
        link: this.message.link,
        address: this.message.address,
        quiet: this.message.quiet,
        ...this.painter.moment(),
      }),
      new Clips(this),
    );
  }

  close() {
    this.do({ type: "halt" });
    this.fetcher.controller.abort();
    document.documentElement.removeAttribute("data-playing");
    document.removeEventListener("keydown", this.onkey, true);
    document.removeEventListener("pointerdown", this.onpoint, true);
    document.removeEventListener("samplescope:moved", this.onmoved);
    document.removeEventListener("samplescope:look", this.onlook);
    const { reporter, pointing, leading, resting, focusing, painter } = this;
    for (const servant of [reporter, pointing, leading, resting, focusing, painter]) servant.close();
  }

  /** @type {(name: string) => HTMLElement} */
  part(name) {
    return /** @type {HTMLElement} */ (this.root.querySelector(`[data-part="${name}"]`));
  }

  /** @type {(act: string) => boolean} */
  locked(act) {
    return this.message.lock.includes(act);
  }

  get last() {
    return this.film ? this.film.last : -1;
  }

  get at() {
    return Math.min(Math.floor(this.state.t + 1e-9), this.last); // the frame that is shown
  }

  get restless() {
    return moves(this.state) || this.fetcher.filling || Boolean(this.fetcher.stilling || this.reporter.telling);
  }

  veil() {
    // a picture that is not the one that the step is about: another step's, or an earlier frame, with an answer perhaps
    const veiled = this.fetcher.strange || early(this.state, this.locked("scrub"));
    this.part("charts").classList.toggle("early", veiled);
  }

  // ---- how it moves ---------------------------------------------------------------------------------------------

  /** @type {(event: Moved) => Effect[]} */
  do(event) {
    const { speed } = this.state;
    const now = { last: this.last, still: this.still.matches, led: this.leading?.led ?? false };
    const [state, effects] = reduced(this.state, event, now);
    this.state = state;
    if (state.speed !== speed) this.bar.speed.value = String(state.speed);
    for (const effect of effects) this.effect(effect);
    return effects;
  }

  /** @type {(effect: Effect) => void} */
  effect(effect) {
    const { fetcher, painter, reporter, resting } = this;
    if (effect === "stir") resting.stir();
    else if (effect === "fill") fetcher.fill();
    else if (effect === "show") painter.show();
    else if (effect === "rest") reporter.rest();
    else if (effect === "run") this.run();
    else if (effect === "next") this.turn(1);
    else if (effect === "previous") this.turn(-1);
    else if (effect === "rest anew") {
      reporter.reported = null;
      reporter.rest();
    }
  }

  run() {
    this.resting.stir();
    if (this.ticking) return;
    this.ticking = true;
    /** @type {number | null} */
    let then = null;
    const tick = (/** @type {number} */ now) => {
      const passed = then === null ? this.pace.period : now - then;
      this.pace.ticked(passed);
      const seconds = Math.min(0.1, passed / 1000);
      then = now;
      this.ticking = this.root.isConnected && this.do({ type: "tick", seconds }).includes("again");
      if (this.ticking) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  /** @type {(t: number) => void} */
  settle(t) {
    this.do({ type: "settle", t });
  }

  /** @type {(by: number) => void} */
  turn(by) {
    // a film can be one chapter of a run: ask for the next or the last one
    this.turning = true;
    this.reporter.send("turn", { by });
  }

  /** @type {(pace: number) => void} */
  loop(pace) {
    // on a cover: by itself, again and again
    clearTimeout(this.reporter.encore);
    this.root.querySelector(".player")?.classList.add("poster");
    this.do({ type: "loop", speed: pace });
  }

  announce() {
    // for what else on the page follows the film
    this.leading.tell();
    if (this.poster) return;
    const { total } = this.state,
      { source } = this.message,
      { shown } = this,
      { t, playing, speed } = cardsOf(this.state, this.at, this.last);
    if (shown?.t === t && shown.source === source && shown.playing === playing && shown.speed === speed) return;
    this.shown = { source, t, playing, speed, total };
    this.tellShown();
  }

  tellShown() {
    if (this.shown) document.dispatchEvent(new CustomEvent("samplescope:shown", { detail: this.shown }));
  }

  // ---- messages -------------------------------------------------------------------------------------------------

  /** @type {(head: Message) => void} */
  receive(head) {
    // one after the other: building charts takes time, and the next message may come meanwhile
    speakFor(head.session);
    this.newest = head.chain;
    this.fetcher.wants(head.chain);
    this.queue(() =>
      this.ingest(head)
        .catch((error) => this.bar.fail(error))
        .then(() => this.latest.answered(this.reporter.heard)),
    );
  }

  /** @type {(work: () => Promise<unknown>) => void} */
  queue(work) {
    this.due += 1;
    this.resting.stir();
    this.busy = this.busy.then(work).finally(() => {
      this.due -= 1;
    });
  }

  /** @type {(head: Message) => Promise<void>} */
  async ingest(head) {
    const { painter, fetcher, reporter } = this;
    reporter.acknowledge(head.heard);
    this.poster = Boolean(head.poster);
    this.page = head.page;
    const fresh = head.chain !== this.film?.described.chain;
    if (head.chain !== this.newest) return; // another film is wanted by now
    if (fresh || fetcher.aborted) fetcher.begin(head.chain);
    const opened = fresh ? await fetcher.opened(head) : this.film;
    if (!opened) return;
    fetcher.strange = false;
    const { described } = opened,
      { at, total, until, before, after, lock } = head,
      places = head.poster ? described.params : head.params;
    const came = this.film === null ? "anew" : placeOf(head.link) !== placeOf(this.message.link) ? "on" : "";
    const changed = painter.takes(described, { ...places, told: !head.quiet, lit: this.pointing.mark }, fresh);
    this.message = head;
    this.do({ type: "told", facts: { total, until, before, after } });
    if (fresh) {
      this.film = opened;
      this.token = head.go?.token;
      this.do({ type: "film", t: at, lasts: described.lasts });
    }
    this.dials.show(head.dials, lock.includes("controls"));
    this.bar.offer(head.levels);
    this.guess.take(head.ask, placeOf(head.link));
    reporter.reported = `${described.chain} ${at}`; // Python knows
    if (changed) await painter.build();
    else if (fresh) painter.refill(); // another run in the same charts
    painter.arrangement.arrange();
    if (came === "on") painter.arrangement.speak();
    painter.placeAll();
    if (lock.includes("play")) this.do({ type: "pause" });
    if (head.go && head.go.token !== this.token) this.goTo(head.go);
    if (fresh) this.enter();
    painter.show();
    this.reading.offer();
    this.host.dataset.drawn = ""; // the page's frame goes, see pages/lesson/frame.py
    if (fresh && !changed) painter.views.filter(({ params }) => params.some((name) => name in places)).forEach(fit); // axes may end elsewhere, and their labels take other room
    fetcher.fill();
    fetcher.settled();
    if (came === "on") for (const part of document.querySelectorAll(".stMain, .st-key-text")) part.scrollTop = 0; // a step begins at its top
    this.focusing.inSight();
    reporter.note(came, came === "anew" && head.covered);
    if (head.poster && fresh) this.loop(head.poster);
  }

  enter() {
    // a new film opens where Python says; one that plays on from the last chapter goes on playing
    const on = this.turning && this.state.playing;
    this.turning = false;
    this.do({ type: "enter", on });
  }

  /** @type {(go: Go) => void} */
  goTo({ token, t, walk }) {
    // Python moves the player: at once, or step by step
    this.token = token;
    this.do({ type: "pause" });
    this.do({ type: walk ? "walk" : "jump", t });
  }

  /** @type {(told: Turned) => number} */
  dialled(told) {
    this.stay ??= Math.floor(this.state.wanted ?? this.state.t); // while it is dragged: a run may not have got there yet
    const t = this.stay;
    if (told.done) this.stay = null;
    this.do({ type: "hold" });
    return this.reporter.send("dial", { ...told, t });
  }

  /** @type {(mark: string) => void} */
  open(mark) {
    const [what, which] = mark.split("-");
    this.reporter.send("open", { what, which: +which, t: Math.floor(this.state.t) });
  }

  // ---- buttons and keys -----------------------------------------------------------------------------------------

  /** @type {(name: string | undefined) => void} */
  act(name) {
    if (!name || this.locked(CONTROL[name] ?? name)) return;
    this.leading.led = false;
    if (name === "link") this.reporter.copyLink().then(() => this.sharing.open());
    else if (name === "take") this.taking.open();
    else this.do({ type: "act", act: /** @type {Act} */ (name) });
  }
}
