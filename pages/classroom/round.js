// A question to the class, as a learner sees it: a form while it is open, then the answers of the class.

import { Form } from "../form/form.js";
import { button, counted, el } from "./drawing.js";
import { tallied } from "./tally.js";

/** @import { RoundState, You } from "../messages.js" */
/** @import { Answer, Place } from "./room.js" */
/** @import { Said } from "./line.js" */
/** @typedef {{ name: string, keys: string[] }} Proved a rule, by its question */

/** @type {(place: { query?: string } | null | undefined, round: Place) => boolean} */
export const samePlace = (place, round) => {
  const names = new URLSearchParams(place?.query ?? "");
  return names.get("lesson") === round.lesson && names.get("step") === round.step;
};

export const clock = { ahead: 0 }; // seconds by which the server's clock is ahead of this one's

// How long a question stays open; "" if that is not set.
/** @type {(round: { until?: number | null }) => string} */
export function timeLeft({ until }) {
  return until ? ` ${Math.max(0, Math.ceil(until - clock.ahead - Date.now() / 1000))} s left.` : "";
}

export class Round {
  /** @type {RoundState | null} */ round = null;
  /** @type {Here | undefined} */ here;
  /** @type {{ round: number | null, keys: string[] | null } | null} what the server has of one's own */ mine = null;
  /** @type {{ round: number, keys: string[] } | null} */ pending = null;
  /** @type {string[]} the lines that were proved, and what they come to */ rule = [];
  /** @type {Form | null} */ form = null;
  /** @type {number | undefined} */ gone;
  /** @type {string | null} */ drawn = null;
  /** @type {string | undefined} */ crowd;
  /** @type {HTMLElement | undefined} */ text;
  /** @type {HTMLElement | undefined} its last paragraph */ last;
  late = false;
  folded = false;

  /**
   * @param {{ say: (message: Said) => unknown, give: (answer: Answer) => void, folded: (folded: boolean) => void, lead: () => unknown }} own
   */
  constructor({ say, give, folded, lead }) {
    this.say = say;
    this.give = give;
    this.lead = lead;
    this.onfold = folded;
    this.box = el("div", { className: "round", hidden: true });
    this.status = el("p", { className: "status", aria: { role: "status" } });
    this.back = button("See the step", () => this.lead(), { hidden: true });
    this.onplace = (/** @type {CustomEvent<Here>} */ { detail }) => {
      this.here = detail;
      this.cover();
    };
    this.onkey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    this.onproved = (/** @type {CustomEvent<Proved>} */ { detail }) => this.proved(detail);
    this.ticking = setInterval(() => this.open && this.round?.until && this.tell(), 500);
    document.addEventListener("keydown", this.onkey);
    document.addEventListener("samplescope:proved", this.onproved);
    document.addEventListener("samplescope:here", this.onplace);
  }

  get open() {
    return Boolean(this.round?.open);
  }
  get answered() {
    return (this.mine?.round === this.round?.id && this.mine?.keys) || null;
  }

  /** @type {(round: RoundState | null) => void} */
  show(round) {
    this.shown(round);
    const tally = round && !round.open && !this.box.hidden ? round.tally : null;
    if (JSON.stringify(tally) !== this.crowd)
      document.dispatchEvent(new CustomEvent("samplescope:crowd", { detail: tally })); // marks in the picture
    this.crowd = JSON.stringify(tally);
  }

  /** @type {(round: RoundState | null) => void} */
  shown(round) {
    const before = this.round;
    this.round = round;
    if (!round || this.gone === round.id) return this.hide();
    if (before?.id !== round.id) Object.assign(this, { rule: [], pending: null, late: false, folded: false });
    const key = `${round.id} ${round.open} ${round.open ? "" : JSON.stringify([round.tally, round.right, round.before, round.shown, this.answered])}`;
    if (this.drawn !== key) {
      this.drawn = key;
      this.form?.close();
      this.form = null;
      this.box.replaceChildren(...(round.open ? this.asks(round) : this.result(round)));
    }
    if (round.revealed && round.lesson && this.answered)
      this.give({ id: String(round.id), lesson: round.lesson, step: round.step, keys: this.answered });
    this.tell();
    this.fold(this.folded);
    this.cover();
  }

  hide() {
    this.box.hidden = true;
    this.drawn = null;
    this.onfold(false);
    this.cover();
  }

  /** @type {(folded: boolean) => void} */
  fold(folded) {
    this.folded = folded;
    this.box.hidden = folded || !this.round;
    this.onfold(folded && this.open);
    if (!folded && this.open) this.box.scrollTop = 0;
  }

  cover() {
    const { round } = this,
      at = Boolean(round && samePlace(this.here, round)),
      there = at || !round?.lesson;
    if (round) this.back.hidden = there;
    if (this.text && this.last) {
      this.text.hidden = there || !this.text.innerHTML;
      this.last.hidden = !this.text.hidden || !this.last.innerHTML;
    }
    document.documentElement.toggleAttribute("data-asked", this.open && at && round?.kind !== "rule"); // the page's own question waits meanwhile
  }

  // ---- while it is open ----------------------------------------------------------------------------------------

  /** @type {(round: RoundState) => Node[]} */
  asks(round) {
    const spoken = round.lang ? { lang: round.lang, dir: round.dir } : { dir: round.dir };
    const title = el(
      "legend",
      {},
      el("span", { className: "kind", textContent: "Your instructor asks" }),
      el("span", { className: "title", innerHTML: round.title }),
    );
    this.text = el("div", { className: "text", innerHTML: round.text ?? "", hidden: true }); // safe HTML, made by the server from the lesson
    this.last = el("div", { className: "text last", innerHTML: round.ask ?? "", hidden: true }); // where there is little room for the page
    const box = el("fieldset", spoken, title, this.text, this.last, this.field(round)),
      row = el("div", { className: "row" }, this.back, this.status);
    this.ready();
    return [this.top("Hide", () => this.fold(true)), box, row];
  }

  /** @type {(round: RoundState) => HTMLElement} */
  field(round) {
    if (round.kind === "rule") {
      document.dispatchEvent(new CustomEvent("samplescope:prove")); // she may have proved a rule before
      const words = "Write your rule in the step, and press Prove it. It counts here without your name.";
      return el("p", { className: "quiet", textContent: words });
    }
    this.form = new Form({
      check: () => this.answer(round),
      changed: () => this.ready(),
      hears: () => this.open && samePlace(this.here, round),
      label: "Answer",
    });
    this.form.receive(round);
    if (this.answered) this.form.draft = this.answered;
    return this.form.box;
  }

  /** @type {(found: Proved) => void} a rule was proved on the page */
  proved({ name, keys }) {
    const { round } = this;
    if (!round?.open || round.kind !== "rule" || name !== `${round.lesson}/${round.step}`) return;
    this.rule = keys;
    if (!this.idle) this.answer(round);
  }

  /** @type {(words: string, act: () => void) => HTMLElement} */
  top(words, act) {
    return button("×", act, { className: "away", ariaLabel: words, title: words });
  }

  /** @type {(event: KeyboardEvent) => void} */
  key(event) {
    // as the page's own question has it: number keys choose, Enter answers
    const { key, altKey, ctrlKey, metaKey, defaultPrevented } = event,
      target = /** @type {Element} */ (event.composedPath()[0]);
    if (!this.open || !this.form || this.box.hidden || altKey || ctrlKey || metaKey || defaultPrevented) return;
    if (
      target.closest?.(
        "input:not([type=radio], [type=checkbox]), textarea, select, button, summary, a, [contenteditable=true]",
      )
    )
      return;
    /** @type {NodeListOf<HTMLElement>} */
    const choices = this.form.box.querySelectorAll(".choices label");
    if (key === "Enter" && !this.idle && !target.closest?.("form")) this.form.check();
    else if (/^[1-9]$/.test(key)) choices[+key - 1]?.click();
  }

  get keys() {
    return (this.round?.kind === "rule" ? this.rule : this.form?.keys) ?? [];
  }

  get idle() {
    // whether a press of the button has nothing new to send
    const same = this.answered && this.keys.join("\n") === this.answered.join("\n");
    return !this.keys.length || Boolean(this.pending) || Boolean(same);
  }

  ready() {
    if (!this.form) return;
    this.form.button.ariaDisabled = String(this.idle); // but never disabled: the press before this one may still be on its way
    this.form.button.textContent = this.answered ? "Change it" : "Answer";
  }

  /** @type {(round: RoundState) => void} */
  answer(round) {
    if (this.idle) return;
    this.pending = { round: round.id, keys: [...this.keys] };
    this.repeat();
    this.tell();
    this.ready();
  }

  repeat() {
    if (this.pending) this.say({ answer: this.pending });
  } // until the server confirms it

  /** @type {(you: You) => void} */
  acknowledged({ round, keys, late }) {
    const sent = this.pending?.round === round ? this.pending : null;
    if (sent && !late && keys?.join("\n") !== sent.keys.join("\n")) return; // what was heard before a change is under way
    if (round !== undefined) this.mine = { round, keys };
    if (sent) this.pending = null;
    this.late = Boolean(late);
    if (this.round?.id !== round || !this.round.open) return;
    if (keys && this.form && !this.keys.length) this.form.draft = keys; // after a reload
    this.tell();
    this.ready();
  }

  tell() {
    const { round, answered, pending } = this;
    if (!round) return;
    const many = counted(round.answers, "answer");
    const words = !round.open
      ? this.late
        ? "Your answer came too late to count."
        : ""
      : pending
        ? "On its way …"
        : answered
          ? `Your answer is in. ${many} so far.${timeLeft(round)}`
          : `${many}${timeLeft(round)}`;
    if (this.status.textContent !== words) this.status.textContent = words;
  }

  // ---- when it is over -----------------------------------------------------------------------------------------

  /** @type {(round: RoundState) => Node[]} */
  result(round) {
    const { answered } = this,
      many = counted(round.answers, "answer");
    const kind = !round.shown ? "Closed: talk it over" : `The class: ${many}`;
    const head = el(
      "div",
      { className: "heading" },
      el("span", { className: "kind", textContent: kind }),
      el("span", { className: "title", innerHTML: round.title }),
    );
    return [
      this.top("Hide the result", () => {
        this.gone = round.id;
        this.hide();
      }),
      head,
      ...(round.shown ? [tallied(round, round.tally ?? {}, answered ?? [])] : []),
      this.status,
    ];
  }

  close() {
    clearInterval(this.ticking);
    this.form?.close();
    document.removeEventListener("keydown", this.onkey);
    document.removeEventListener("samplescope:proved", this.onproved);
    document.removeEventListener("samplescope:here", this.onplace);
    document.documentElement.removeAttribute("data-asked");
  }
}
