// What a projector shows of a class: the stage, the question with its answers, and how to join. It gets no names, and
// leads nothing.

import { appAddress, button, counted, el, joinAddress, spelt, typed } from "./drawing.js";
import { Follows } from "./follow.js";
import { pile } from "./pile.js";
import { clock, samePlace, timeLeft } from "./round.js";
import { rightOf, tallied } from "./tally.js";
import { Walks } from "./walks.js";

/** @import { HandsState, RelayState, RoundState, State, News } from "../messages.js" */
/** @import { Room } from "./room.js" */

const SMALLER = 0.95,
  LEAST = 0.55; // by how much the panel's type shrinks at a time, and to what share of its size at the least

export class Screen {
  /** @type {State | null} */ state = null;
  /** @type {string | undefined} */ drawn;
  /** @type {string | undefined} */ crowd;
  /** @type {string | undefined} */ seen; // the sizes with which the page's verdict was brought into view
  lost = false;

  /** @param {Room} room */
  constructor(room) {
    this.room = room;
    this.hello = { screen: true };
    this.follows = new Follows();
    const invitation = joinAddress(room.code);
    this.people = el("p", { className: "quiet", aria: { role: "status" } });
    this.corner = el(
      "div",
      { className: "corner" },
      el("img", {
        className: "qr",
        alt: `QR code of ${invitation}`,
        src: `${room.address.href}/${room.code}/qr.svg?at=${encodeURIComponent(appAddress().href)}`,
      }),
      el(
        "div",
        {},
        el(
          "p",
          {},
          el("span", { className: "long", textContent: "Go to " }),
          el("b", { textContent: typed(invitation) }),
          el("span", { className: "long", textContent: " or enter the code" }),
        ),
        el("p", { className: "code", textContent: spelt(room.code) }),
        this.people,
      ),
    );
    this.panel = el("div", { className: "shown", tabIndex: 0, hidden: true });
    this.walks = new Walks();
    this.leave = button("×", () => room.leave(), {
      className: "away",
      ariaLabel: "Close the projector window",
      title: "Close the projector window",
    });
    this.box = el("section", { className: "dock screen", ariaLabel: "The class" }, this.panel, this.corner, this.leave);
    this.ticking = setInterval(() => {
      if (this.state?.round?.until) this.count();
      this.look();
    }, 500);
    this.sized = new ResizeObserver(() => this.fit());
    this.sized.observe(this.panel);
  }

  /** @type {(news: News) => void} */
  hear({ state, clock: time }) {
    if (time) clock.ahead = time - Date.now() / 1000;
    if (state) this.state = state;
    this.show();
  }

  /** @type {(lost: boolean) => void} */
  changed(lost) {
    this.lost = lost;
    this.show();
  }

  show() {
    const { state } = this;
    const here = this.lost
      ? "connection lost; trying again"
      : `${state?.people ?? 0} here${state?.paused ? " · paused" : ""}`;
    if (this.people.textContent !== here) this.people.textContent = here;
    if (!state) return;
    this.draw(state);
    this.follows.show(state.show);
    const { round } = state,
      right = round?.revealed ? rightOf(round) : [];
    const tally = round?.shown && round.lesson ? JSON.stringify(round.tally) : "null";
    if (tally !== this.crowd)
      document.dispatchEvent(new CustomEvent("samplescope:crowd", { detail: JSON.parse(tally) }));
    this.crowd = tally;
    if (round && right.length && samePlace(state.show, round))
      this.room.give({ id: `${state.code} ${round.id}`, lesson: round.lesson, step: round.step, keys: right });
  }

  /** @type {(state: State) => void} */
  draw({ round, hands, relay, show }) {
    const runs = hands?.folded ? null : hands,
      what = round ?? relay ?? runs,
      asked = round && { ...round, answers: round.shown && round.answers, until: 0 },
      key = JSON.stringify([asked, relay?.id, round || relay ? null : runs]);
    this.walks.show(relay); // the dots walk on in a panel that stays
    if (key !== this.drawn) {
      this.drawn = key;
      this.panel.hidden = !what;
      document.documentElement.toggleAttribute("data-panel", Boolean(what));
      this.box.classList.toggle("beside", Boolean(what));
      this.panel.replaceChildren(
        ...(round ? this.question(round) : relay ? this.passed(relay) : runs ? this.runs(runs) : []),
        ...(relay ? [this.walks.box] : []),
      );
      this.count();
      this.fit();
    }
    this.box.classList.toggle("waiting", !what && !show?.query); // on the map and on covers: how to join, large
    this.count();
  }

  fit() {
    // a projector is not scrolled: the type is as large as the panel has room for, formulas too
    const { panel } = this;
    for (let size = 1; size >= LEAST; size *= SMALLER) {
      panel.style.setProperty("--fit", String(size));
      if (panel.scrollHeight <= panel.clientHeight && panel.scrollWidth <= panel.clientWidth) return;
    }
  }

  look() {
    // the page's own verdict, with its reason, is brought into view; the corner then takes little room
    const found = document.querySelector(".st-key-text .stAlert"),
      verdict = found?.getClientRects().length ? found : null; // the panel may stand in its place
    this.box.classList.toggle("small", Boolean(verdict));
    const sizes = verdict ? [innerWidth, innerHeight, verdict.clientHeight, this.box.offsetHeight].join() : undefined;
    if (verdict && sizes !== this.seen) verdict.scrollIntoView({ block: "end" });
    this.seen = sizes;
  }

  /** @type {(round: RoundState) => Node[]} */
  question(round) {
    const spoken = round.lang ? { lang: round.lang, dir: round.dir } : { dir: round.dir };
    const results = round.shown
      ? tallied(round, round.tally ?? {})
      : el(
          "ol",
          { className: "offered" },
          round.options.map(({ html }) => el("li", { innerHTML: html })),
        );
    return [
      el(
        "div",
        spoken,
        el("h1", { innerHTML: round.title }),
        el("div", { className: "text", innerHTML: round.shown ? round.ask : round.text }), // results need the room
        results,
        round.reason && el("div", { className: "text reason", innerHTML: round.reason }),
      ),
      el("p", { className: "count", aria: { role: "status" } }),
    ];
  }

  /** @type {(hands: HandsState) => Node[]} */
  runs(hands) {
    return [
      el("h1", { textContent: hands.label }),
      pile(hands, null),
      el("p", { className: "count", aria: { role: "status" } }),
    ];
  }

  /** @type {(relay: RelayState) => Node[]} */
  passed(relay) {
    return [el("h1", { textContent: relay.title }), el("p", { className: "count", aria: { role: "status" } })];
  }

  count() {
    if (!this.state) return;
    const { round, hands, relay, people } = this.state,
      count = this.panel.querySelector(".count");
    const words = round?.open
      ? `${round.answers} of ${people} have answered.${timeLeft(round)}`
      : round
        ? `${counted(round.answers, "answer")}${round.shown ? "" : ": talk it over"}`
        : relay
          ? `${counted(relay.steps, "step")} of ${counted(relay.places.length, "chain")}`
          : hands
            ? counted(hands.points.length, "run")
            : "";
    if (count && count.textContent !== words) count.textContent = words;
  }

  close() {
    clearInterval(this.ticking);
    this.sized.disconnect();
    document.documentElement.removeAttribute("data-panel");
    document.dispatchEvent(new CustomEvent("samplescope:crowd", { detail: null }));
    this.follows.close();
    this.box.remove();
  }
}
