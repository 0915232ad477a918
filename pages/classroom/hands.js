// Hands on, for a learner: her own run, and the outcomes of all runs.

import { button, counted, el, minus, short } from "./drawing.js";
import { alike, withOwn } from "./follow.js";
import { pile } from "./pile.js";

/** @import { HandsState, OwnRun, Shown, You } from "../messages.js" */
/** @import { Said } from "./line.js" */

export class Hands {
  /** @type {OwnRun | null} */ own = null;
  /** @type {HandsState | null} */ hands = null;
  /** @type {Shown} */ base;
  /** @type {Here | undefined} */ here;
  /** @type {number} */ index;
  /** @type {number | undefined} */ gone;
  /** @type {string | null} */ drawn = null;
  wish = false;
  more = false; // whether another run is wanted
  folded = false;

  /**
   * @param {{ say: (message: Said) => unknown, lead: () => unknown, ask: () => unknown,
   *   again: () => unknown, folded: (folded: boolean) => void }} own
   */
  constructor({ say, lead, ask, again, folded }) {
    this.say = say;
    this.lead = lead;
    this.ask = ask;
    this.again = again;
    this.onfold = folded;
    this.box = el("div", { className: "round", hidden: true });
    this.status = el("p", { className: "status", aria: { role: "status" } });
    this.onplace = (/** @type {CustomEvent<Here>} */ { detail }) => {
      this.here = detail;
      this.look();
    };
    document.addEventListener("samplescope:here", this.onplace);
  }

  get open() {
    return Boolean(this.hands?.open && this.own?.id === this.hands.id);
  }

  get place() {
    // of the own run
    return { ...this.base, query: withOwn(this.base.query, this.set), t: 0, playing: false };
  }

  get which() {
    // which of the own runs is on the screen: the last that has a result, until another one is wanted
    const { values, sets } = this.own ?? { values: [], sets: [] };
    return this.more ? Math.min(values.length, sets.length - 1) : Math.max(0, values.length - 1);
  }
  get set() {
    return this.own?.sets[this.which] ?? {};
  }
  get done() {
    return Boolean(this.own && this.own.values.length > this.which);
  }

  /** @type {(hands: HandsState | null, shown: Shown | null) => void} */
  show(hands, shown) {
    const fresh = hands && this.hands?.id !== hands.id;
    if (fresh) Object.assign(this, { base: shown, drawn: null, more: false, folded: false });
    if (fresh && hands.open && this.own?.id !== hands.id) this.ask();
    this.hands = hands;
    if (hands) this.draw(hands);
    this.fit();
  }

  fit() {
    const { hands, gone } = this,
      nothing = !hands || gone === hands.id || (!hands.open && !hands.points.length);
    this.box.hidden = nothing || (this.folded && hands.open);
    this.onfold(!nothing && this.box.hidden);
  }

  /** @type {(folded: boolean) => void} */
  fold(folded) {
    this.folded = folded;
    this.fit();
  }

  /** @type {(you: You) => void} */
  heard({ hands, index }) {
    this.index = index;
    if (!hands) return;
    if (this.own && hands.values.length > this.own.values.length) this.more = false; // it has come in
    this.own = hands;
    if (this.hands) this.draw(this.hands);
  }

  /** @type {(hands: HandsState) => void} */
  draw(hands) {
    const { own, status } = this,
      mine = own?.id === hands.id ? own : null;
    const key = JSON.stringify([hands.id, hands.open, hands.points, mine, this.more]);
    if (key === this.drawn) return;
    this.drawn = key;
    const done = mine && this.done,
      value = mine?.values[this.which] ?? null;
    const kind = hands.open ? "Hands on: everyone has their own run" : "All runs";
    const named =
      mine &&
      Object.entries(this.set)
        .map(([name, value]) => `${name} is ${minus(value)}`)
        .join(", your ");
    const title =
      !mine || done ? hands.label : `Your ${named}. What do you get after ${hands.t} ${hands.unit}: ${hands.label}?`;
    const act = !done
      ? button(`Run it to ${hands.t}`, () => this.run(), { className: "main" })
      : mine.sets.length > mine.values.length && button("Another run", () => this.another());
    const run = hands.open && mine ? [el("div", { className: "row" }, act, status)] : [status];
    status.textContent = done
      ? value === null
        ? "Your run has no such outcome."
        : `Your run: ${short(value)}. ${counted(hands.points.length, "run")} so far.`
      : hands.open
        ? `${counted(hands.points.length, "run")} so far.`
        : "";
    const away = button("×", () => (hands.open ? this.fold(true) : this.leave(hands)), {
      className: "away",
      ariaLabel: "Hide",
      title: "Hide",
    });
    const chart =
      hands.points.length && (mine?.values.length || !hands.open)
        ? [pile(hands, mine?.values.length ? this.index : null)]
        : [];
    this.box.replaceChildren(
      away,
      el(
        "div",
        { className: "heading" },
        el("span", { className: "kind", textContent: kind }),
        el("span", { className: "title", textContent: title }),
      ),
      ...run,
      ...chart,
    );
  }

  /** @type {(hands: HandsState) => void} */
  leave(hands) {
    this.gone = hands.id;
    this.fit();
  }

  another() {
    this.more = true;
    this.lead();
    this.again();
    if (this.hands) this.draw(this.hands);
  }

  run() {
    this.lead();
    if (!this.arrived)
      this.wish = true; // as soon as it is there
    else document.dispatchEvent(new CustomEvent("samplescope:run", { detail: this.hands?.t }));
  }

  get arrived() {
    const { here } = this;
    return this.open && here?.page === this.base.page && alike(withOwn(here.query, this.set), here.query);
  }

  get far() {
    return this.here && this.hands && this.here.t >= this.hands.t;
  }

  look() {
    // has her own run got there?
    if (!this.arrived) return;
    if (this.wish) {
      this.wish = false;
      setTimeout(() => this.run());
    }
    if (this.far && !this.here?.playing) this.repeat();
  }

  repeat() {
    // until it is acknowledged
    const { hands, here } = this;
    if (hands && here && !this.done && this.arrived && this.far)
      this.say({ found: { hands: hands.id, run: this.which, t: here.t } });
  }

  close() {
    document.removeEventListener("samplescope:here", this.onplace);
  }
}
