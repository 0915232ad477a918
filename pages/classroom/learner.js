// What a learner sees of a class: a bar below the page, and above it the panel with the question.

import { FOLLOWING, TAB, button, el, keptName, nameField, remember, remembered, spelt } from "./drawing.js";
import { Follows, stepOf } from "./follow.js";
import { Hands } from "./hands.js";
import { Relay } from "./relay.js";
import { Round, clock } from "./round.js";

/** @import { Answer, Room } from "./room.js" */
/** @import { State, News } from "../messages.js" */

export class Learner {
  /** @type {State | null} */ state = null;
  /** @type {boolean | undefined} whether the page is held still */ held;
  lost = false;
  unsure = false; // whether she has said that she is lost
  left = false; // by a press of her own
  sorry = "";

  /** @param {Room} room */
  constructor(room) {
    this.room = room;
    this.follows = new Follows(() => this.following && !this.state?.paused && this.strayed());
    this.following = remembered(TAB, FOLLOWING) !== "no";
    this.said = el("span", { className: "said", aria: { role: "status" } });
    this.explore = button("Explore", () => this.lead(!this.following));
    this.asked = button("To the question", () => this.round.fold(false), { hidden: true, className: "main back" });
    this.ran = button("To your run", () => this.hands.fold(false), { hidden: true, className: "main back" });
    this.chain = button("To your chain", () => this.relay.fold(false), { hidden: true, className: "main back" });
    this.name = nameField();
    this.forget = button("Leave and delete my answers", () => this.deleting());
    this.lostly = button("I’m lost", () => this.loses(!this.unsure), {
      className: "lost-button",
      ariaPressed: "false",
      title: "Your instructor sees how many are lost, not who",
    });
    this.more = el(
      "form",
      { className: "more", hidden: true, onsubmit: (event) => this.rename(event) },
      this.name,
      el("button", { type: "submit", textContent: "Save" }),
      button("Leave the class", () => room.leave()),
      this.forget,
    );
    this.menu = button("⋯", () => this.unfold(Boolean(this.more.hidden)), {
      ariaLabel: "Name, or leave",
      ariaExpanded: "false",
    });
    const give = (/** @type {Answer} */ given) => {
      this.follows.press = null; // what follows is no way of hers
      room.give({ ...given, id: `${room.code} ${given.id}` });
    };
    const lead = () => this.following || this.lead(true);
    this.round = new Round({
      say: (message) => room.line?.say(message),
      give,
      lead,
      folded: (folded) => this.folded(folded),
    });
    this.hands = new Hands({
      say: (message) => room.line?.say(message),
      lead,
      ask: () => room.line?.say({ follows: this.following }),
      again: () => this.show(),
      folded: (folded) => {
        this.ran.hidden = !folded;
      },
    }); // whatever is said is answered by what is on record
    this.relay = new Relay({
      say: (message) => room.line?.say(message),
      folded: (folded) => {
        this.chain.hidden = !folded;
      },
    });
    this.panel = el("div", { className: "panel" }, this.round.box, this.hands.box, this.relay.box);
    const code = el("b", { className: "code", textContent: spelt(room.code) });
    this.bar = el(
      "div",
      { className: "bar" },
      el(
        "span",
        { className: "who" },
        el("span", { className: "wide", textContent: "Class " }),
        code,
        " · ",
        this.said,
      ),
      this.asked,
      this.ran,
      this.chain,
      this.lostly,
      this.explore,
      this.menu,
    );
    this.box = el("section", { className: "dock learner", ariaLabel: "Class" }, this.panel, this.more, this.bar);
    this.show();
  }

  get hello() {
    return { name: this.name.value.trim() };
  }

  /** @type {(news: News) => void} */
  hear({ state, you, sorry, clock: time }) {
    if (time) clock.ahead = time - Date.now() / 1000;
    const last = this.state?.show;
    if (state?.show && last && this.unsure && stepOf(state.show) !== stepOf(last)) this.loses(false);
    if (state) this.state = state;
    if (you) this.round.acknowledged(you);
    if (you) this.hands.heard(you);
    if (you) this.relay.heard(you);
    if (sorry) this.sorry = sorry;
    this.show();
  }

  show() {
    const {
        state,
        following,
        room: { line },
      } = this,
      still = following && state?.paused;
    const words = this.lost
      ? line?.full
        ? "the class is full; trying again"
        : "connection lost, trying again"
      : !state
        ? "joining …"
        : state.trouble ||
          (still ? "paused: look up" : following ? "following" : this.left ? "you left the class" : "exploring");
    if (this.said.textContent !== words) this.said.textContent = words;
    this.box.classList.toggle("lost", Boolean(this.lost));
    this.explore.textContent = following ? "Explore" : "Back to the class";
    const held = following && this.state?.show && !this.state.free; // a step's question waits until it is asked
    document.documentElement.toggleAttribute("data-held", Boolean(held));
    this.explore.classList.toggle("main", !following);
    if (!state) return;
    const main = /** @type {HTMLElement | null} */ (document.querySelector(".stMain"));
    if (main && this.held !== Boolean(still)) main.inert = this.held = Boolean(still);
    this.round.show(state.round);
    this.hands.show(state.hands, state.show);
    this.relay.show(state.relay);
    if (!following || state.paused) return;
    if (this.hands.open) this.follows.show(this.hands.place, true);
    else this.follows.show(state.show);
  }

  /** @type {(lost: boolean) => void} */
  changed(lost) {
    this.lost = lost;
    if (!lost) for (const part of [this.round, this.hands, this.relay]) part.repeat();
    if (!lost && !this.following) this.room.line?.say({ follows: false });
    if (!lost && this.unsure) this.room.line?.say({ lost: true });
    this.show();
  }

  strayed() {
    // by a press of her own
    this.lead(false);
    this.left = true;
    this.show();
  }

  /** @type {(unsure: boolean) => void} */
  loses(unsure) {
    if (!this.room.line?.say({ lost: unsure })) return;
    this.unsure = unsure;
    this.lostly.ariaPressed = String(unsure);
    this.lostly.classList.toggle("main", unsure);
  }

  /** @type {(following: boolean) => void} */
  lead(following) {
    // Explore, and Back to the class
    Object.assign(this, { following, left: false });
    remember(TAB, FOLLOWING, following ? null : "no");
    this.room.line?.say({ follows: following });
    if (!following) this.follows.stay();
    this.show();
  }

  /** @type {(folded: boolean) => void} */
  folded(folded) {
    this.asked.hidden = !folded;
  }

  /** @type {(open: boolean) => void} */
  unfold(open) {
    this.more.hidden = !open;
    this.forget.textContent = "Leave and delete my answers";
    this.menu.ariaExpanded = String(open);
    if (open) this.name.focus();
  }

  /** @type {(event: Event) => void} */
  rename(event) {
    event.preventDefault();
    this.room.line?.say({ name: keptName(this.name) });
    this.unfold(false);
    this.menu.focus();
  }

  deleting() {
    // the second press does it
    const sure = "Press again to delete your name and answers";
    if (this.forget.textContent !== sure) this.forget.textContent = sure;
    else if (!this.room.forget()) this.forget.textContent = "No connection just now. Press again";
  }

  close() {
    document.documentElement.removeAttribute("data-held");
    this.follows.close();
    this.round.close();
    this.hands.close();
    this.relay.close();
    if (this.held) /** @type {HTMLElement} */ (document.querySelector(".stMain")).inert = false;
    this.box.remove();
  }
}
