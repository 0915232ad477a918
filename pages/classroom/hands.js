// Hands on, as a learner has it: a run of one's own, and what all runs have found.

import { button, counted, el, minus } from "./drawing.js";
import { alike, withOwn } from "./follow.js";
import { pile, short } from "./pile.js";

/** @import { HandsTold, OwnRun, Shown, You } from "../messages.js" */
/** @import { Said } from "./line.js" */

export class Hands {
  /** @type {OwnRun | null} */ own = null;
  /** @type {HandsTold | null} */ hands = null;
  /** @type {Shown} */ base;
  /** @type {Here | undefined} */ here;
  /** @type {number} */ index;
  /** @type {number | undefined} */ gone;
  /** @type {string | null} */ drawn = null;
  wish = false;

  /** @param {{ say: (message: Said) => unknown, lead: () => unknown, ask: () => unknown }} own */
  constructor({ say, lead, ask }) {
    this.say = say;
    this.lead = lead;
    this.ask = ask;
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
    return { ...this.base, query: withOwn(this.base.query, this.own?.set ?? {}), t: 0, playing: false };
  }

  /** @type {(hands: HandsTold | null, shown: Shown | null) => void} */
  show(hands, shown) {
    const fresh = hands && this.hands?.id !== hands.id;
    if (fresh) Object.assign(this, { base: shown, drawn: null });
    if (fresh && hands.open && this.own?.id !== hands.id) this.ask();
    this.hands = hands;
    this.box.hidden = !hands || this.gone === hands.id || (!hands.open && !hands.points.length);
    if (hands && !this.box.hidden) this.draw(hands);
  }

  /** @type {(you: You) => void} */
  heard({ hands, index }) {
    this.index = index;
    if (!hands) return;
    const fresh = this.own?.id !== hands.id || JSON.stringify(this.own.set) !== JSON.stringify(hands.set);
    this.own = hands;
    if (fresh) this.drawn = null;
    if (this.hands) this.draw(this.hands);
  }

  /** @type {(hands: HandsTold) => void} */
  draw(hands) {
    const { own, status } = this,
      mine = own?.id === hands.id ? own : null;
    const key = JSON.stringify([hands.id, hands.open, hands.points, hands.exact, mine]);
    if (key === this.drawn) return;
    this.drawn = key;
    const kind = hands.open ? "Hands on: each of you has a run of your own" : "What all runs found";
    const named =
      mine &&
      Object.entries(mine.set)
        .map(([name, value]) => `${name} ${minus(value)}`)
        .join(", ");
    const title = !mine || mine.done ? hands.label : `Yours has ${named}. Run it to ${hands.t}: ${hands.label}?`;
    const run =
      hands.open && mine && !mine.done
        ? [
            el(
              "div",
              { className: "row" },
              button(`Run it to ${hands.t}`, () => this.run(), { className: "main" }),
              status,
            ),
          ]
        : [status];
    status.textContent = mine?.done
      ? mine.value === null
        ? "Your run has no such number."
        : `Yours found ${short(mine.value)}. ${counted(hands.n, "run")} so far.`
      : hands.open
        ? `${counted(hands.n, "run")} so far.`
        : "";
    const away = hands.open
      ? []
      : [
          button(
            "×",
            () => {
              this.gone = hands.id;
              this.box.hidden = true;
            },
            { className: "away", ariaLabel: "Close" },
          ),
        ];
    const chart =
      hands.points.length && (mine?.done || !hands.open) ? [pile(hands, mine?.done ? this.index : null)] : [];
    this.box.replaceChildren(
      ...away,
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

  run() {
    this.lead();
    if (!this.arrived)
      this.wish = true; // as soon as it is there
    else document.dispatchEvent(new CustomEvent("samplescope:run", { detail: this.hands?.t }));
  }

  get arrived() {
    const { here, own } = this;
    return this.open && own && here?.page === this.base.page && alike(withOwn(here.query, own.set), here.query);
  }

  get far() {
    return this.here && this.hands && this.here.t >= this.hands.t;
  }

  look() {
    // has the own run come so far?
    if (!this.arrived) return;
    if (this.wish) {
      this.wish = false;
      setTimeout(() => this.run());
    }
    if (this.far && !this.here?.playing) this.repeat();
  }

  repeat() {
    // until it is acknowledged
    const { hands, here, own } = this;
    if (hands && here && !own?.done && this.arrived && this.far) this.say({ found: { hands: hands.id, t: here.t } });
  }

  close() {
    document.removeEventListener("samplescope:here", this.onplace);
  }
}
