// A relay, for a learner: the chain that she holds, which she moves or lets stay; and what the class has made.

import { button, counted, el, short } from "./drawing.js";
import { Walks } from "./walks.js";

/** @import { Hand, RelayState, You } from "../messages.js" */
/** @import { Said } from "./line.js" */

const AGAIN = 3000; // milliseconds until a chain is asked for again

/** @type {(one: Hand | null, other: Hand | null) => boolean} */
const same = (one, other) => one?.relay === other?.relay && one?.chain === other?.chain && one?.step === other?.step;

export class Relay {
  /** @type {RelayState | null} */ relay = null;
  /** @type {Hand | null} */ hand = null;
  /** @type {Hand & { moves: boolean } | null} a step that is not acknowledged */ pending = null;
  /** @type {number | undefined} */ gone;
  /** @type {string | undefined} */ drawn;
  thrown = false;
  wants = true; // a chain, as soon as there is one
  folded = false;
  steps = 0;

  /** @param {{ say: (message: Said) => unknown, folded: (folded: boolean) => void }} own */
  constructor({ say, folded }) {
    this.say = say;
    this.onfold = folded;
    this.walks = new Walks();
    this.status = el("p", { className: "status", aria: { role: "status" } });
    this.box = el("div", { className: "round", hidden: true });
    this.asking = setInterval(() => this.ask(), AGAIN);
  }

  get open() {
    return Boolean(this.relay?.open);
  }

  ask() {
    if (this.relay && this.open && this.wants && !this.hand) this.say({ hand: this.relay.id });
  }

  /** @type {(relay: RelayState | null) => void} */
  show(relay) {
    const fresh = relay && relay.id !== this.relay?.id;
    if (fresh) Object.assign(this, { pending: null, thrown: false, wants: true, folded: false, steps: 0 });
    this.relay = relay;
    if (this.hand && this.hand.relay !== relay?.id) this.hand = null;
    if (fresh) this.ask();
    this.walks.show(relay?.open ? null : relay);
    this.draw();
  }

  /** @type {(you: You) => void} */
  heard({ hand }) {
    const had = this.hand;
    this.hand = hand;
    if (same(had, hand)) return;
    if (this.pending) this.steps += 1;
    else if (had && this.open && !hand) this.wants = false; // it took her too long
    Object.assign(this, { pending: null, thrown: false });
    if (!hand) this.ask();
    this.draw();
  }

  repeat() {
    const { pending } = this;
    if (pending) this.send(pending);
    else this.ask();
  }

  /** @type {(act: Hand & { moves: boolean }) => void} */
  send({ relay, chain, step, moves }) {
    this.say({ act: { relay, chain, step, moves } });
  }

  /** @type {(moves: boolean) => void} */
  act(moves) {
    if (!this.hand || this.pending) return;
    this.pending = { ...this.hand, moves };
    this.wants = true;
    this.send(this.pending);
    this.draw();
  }

  draw() {
    const { relay, hand } = this;
    const nothing = !relay || this.gone === relay.id || (!relay.open && !relay.steps);
    this.box.hidden = nothing || (this.folded && relay.open);
    this.onfold(!nothing && this.box.hidden);
    if (!relay || nothing) return;
    const key = JSON.stringify([
      relay.id,
      relay.open,
      hand,
      this.thrown,
      Boolean(this.pending),
      this.wants,
      this.steps,
    ]);
    if (key === this.drawn) return;
    this.drawn = key;
    const away = button("×", () => (relay.open ? this.fold(true) : this.leave(relay)), {
      className: "away",
      ariaLabel: "Hide",
      title: "Hide",
    });
    this.box.replaceChildren(
      away,
      ...(relay.open ? (hand ? this.holds(relay, hand) : this.waits(relay)) : this.over(relay)),
    );
  }

  /** @type {(kind: string, title: string) => HTMLElement} */
  heading(kind, title) {
    return el(
      "div",
      { className: "heading" },
      el("span", { className: "kind", textContent: kind }),
      el("span", { className: "title", textContent: title }),
    );
  }

  /** @type {(relay: RelayState) => Node[]} */
  waits(relay) {
    const taken = button("Take another", () => this.take(), { className: "main" });
    this.status.textContent = this.wants ? "The next chain comes to you in a moment." : "";
    return [
      this.heading(relay.title, this.wants ? "Wait for a chain" : "Your chain has gone on to somebody else"),
      el("div", { className: "row" }, !this.wants && taken, this.status),
    ];
  }

  take() {
    this.wants = true;
    this.ask();
    this.draw();
  }

  /** @type {(relay: RelayState, hand: Hand) => Node[]} */
  holds(relay, hand) {
    this.status.textContent = this.pending
      ? "Passed on …"
      : this.steps
        ? counted(this.steps, "step") + " of yours"
        : "";
    if (hand.ratio === null) return this.prefers(relay, hand);
    const bar = hand.bar !== null,
      ready = !bar || this.thrown;
    const throws = button("Throw the dart", () => this.throws(), { className: "main", data: { act: "throw" } });
    /** @type {(words: string, moves: boolean) => HTMLElement} */
    const choice = (words, moves) =>
      button(words, () => ready && this.act(moves), { ariaDisabled: String(!ready || Boolean(this.pending)) });
    return [
      this.heading(`${relay.title}: you hold chain ${hand.chain + 1}`, hand.rule),
      el(
        "p",
        {},
        "It is at ",
        el("b", { textContent: hand.here }),
        ". Proposed: ",
        el("b", { textContent: hand.there }),
        `. The ratio of their posteriors, there over here, is ${short(hand.ratio)}.`,
      ),
      bar && this.bar(hand),
      el(
        "div",
        { className: "row" },
        bar && !this.thrown && throws,
        choice(`Move to ${hand.there}`, true),
        choice(`Stay at ${hand.here}`, false),
        this.status,
      ),
    ].filter((part) => part !== false);
  }

  throws() {
    this.thrown = true;
    this.draw();
    /** @type {HTMLElement | null} */ (this.box.querySelector(".row button"))?.focus();
  }

  /** @type {(hand: Hand) => HTMLElement} */
  bar({ bar, dart }) {
    const part = 100 * (bar ?? 0),
      at = 100 * (dart ?? 0),
      words = this.thrown
        ? `The dart is ${at < part ? "in" : "outside"} the coloured part, which is ${part.toFixed(0)} per cent of the bar.`
        : `A bar; ${part.toFixed(0)} per cent of it are coloured.`;
    return el(
      "div",
      { className: "dart-bar", ariaLabel: words, aria: { role: "img" } },
      this.thrown && Object.assign(el("span", { className: "dart", textContent: "▼" }), { style: `left: ${at}%` }),
      Object.assign(el("i"), { style: `width: ${part}%` }),
    );
  }

  /** @type {(relay: RelayState, hand: Hand) => Node[]} */
  prefers(relay, hand) {
    // the lower number is on the left, whichever is the proposal
    const both = [hand.here, hand.there].sort((a, b) => +a - +b);
    const choices = both.map((one) =>
      button(one, () => this.act(one === hand.there), {
        className: "big",
        ariaDisabled: String(Boolean(this.pending)),
      }),
    );
    return [this.heading(relay.title, hand.rule), el("div", { className: "row" }, choices, this.status)];
  }

  /** @type {(relay: RelayState) => Node[]} */
  over(relay) {
    const said = `${counted(relay.steps, "step")} of ${counted(relay.places.length, "chain")}`;
    return [
      this.heading("The class is the chain", relay.exact.length ? said : `${relay.title} ${said}`),
      this.walks.box,
    ];
  }

  /** @type {(folded: boolean) => void} */
  fold(folded) {
    this.folded = folded;
    this.draw();
  }

  /** @type {(relay: RelayState) => void} */
  leave(relay) {
    this.gone = relay.id;
    this.draw();
  }

  close() {
    clearInterval(this.asking);
  }
}
