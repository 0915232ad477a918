// A question to the class, as a learner sees it: a form while it is open, then the answers of the class.

import { button, counted, el } from "./drawing.js";
import { typed } from "../player/typed.js";
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
  /** @type {string[]} */ keys = [];
  /** @type {number | undefined} */ gone;
  /** @type {string | null} */ drawn = null;
  /** @type {string | undefined} */ crowd;
  /** @type {HTMLInputElement[] | null} */ inputs = null;
  /** @type {HTMLButtonElement} */ send;
  /** @type {HTMLInputElement} */ field;
  /** @type {HTMLInputElement | null} */ slider;
  /** @type {HTMLElement | undefined} */ text;
  /** @type {HTMLElement | undefined} its last paragraph */ last;
  /** @type {string | undefined} why what was typed is no answer */ refused;
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
    this.onguess = (/** @type {CustomEvent<string>} */ { detail }) => this.marked(detail);
    this.onplace = (/** @type {CustomEvent<Here>} */ { detail }) => {
      this.here = detail;
      this.cover();
    };
    this.onkey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    this.onproved = (/** @type {CustomEvent<Proved>} */ { detail }) => this.proved(detail);
    this.ticking = setInterval(() => this.open && this.round?.until && this.tell(), 500);
    document.addEventListener("samplescope:guess", this.onguess);
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
    if (before?.id !== round.id)
      Object.assign(this, { keys: this.answered ?? [], pending: null, late: false, folded: false });
    const key = `${round.id} ${round.open} ${round.open ? "" : JSON.stringify([round.tally, round.right, round.before, round.shown, this.answered])}`;
    if (this.drawn !== key) {
      this.drawn = key;
      this.box.replaceChildren(...(round.open ? this.form(round) : this.result(round)));
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
  form(round) {
    this.inputs = null;
    this.send = el("button", { type: "submit", className: "main", textContent: "Answer" });
    const field = this.asks(round);
    const spoken = round.lang ? { lang: round.lang, dir: round.dir } : { dir: round.dir };
    const title = el(
      "legend",
      {},
      el("span", { className: "kind", textContent: "Your instructor asks" }),
      el("span", { className: "title", innerHTML: round.title }),
    );
    this.text = el("div", { className: "text", innerHTML: round.text ?? "", hidden: true }); // safe HTML, made by the server from the lesson
    this.last = el("div", { className: "text last", innerHTML: round.ask ?? "", hidden: true }); // where there is little room for the page
    const form = el(
      "form",
      { onsubmit: (event) => this.answer(event, round) },
      el("fieldset", spoken, title, this.text, this.last, field),
      el("div", { className: "row" }, this.send, this.back, this.status),
    );
    this.ready();
    return [this.top("Hide", () => this.fold(true)), form];
  }

  /** @type {(round: RoundState) => HTMLElement} */
  asks(round) {
    if (round.kind === "rule") {
      this.send.hidden = true; // a proof is the answer
      document.dispatchEvent(new CustomEvent("samplescope:prove")); // she may have proved a rule before
      return this.hint("Write your rule in the step, and press Prove it. It counts here without your name.") || el("p");
    }
    if (round.choices.length) return this.choices(round);
    return round.kind === "text" ? this.words() : this.number(round);
  }

  /** @type {(found: Proved) => void} a rule was proved on the page */
  proved({ name, keys }) {
    const { round } = this;
    if (!round?.open || round.kind !== "rule" || name !== `${round.lesson}/${round.step}`) return;
    this.keys = keys;
    if (this.idle) return;
    this.pending = { round: round.id, keys };
    this.repeat();
    this.tell();
  }

  /** @type {(words: string, act: () => void) => HTMLElement} */
  top(words, act) {
    return button("×", act, { className: "away", ariaLabel: words, title: words });
  }

  /** @type {(round: RoundState) => HTMLElement} */
  choices(round) {
    const type = round.multiple ? "checkbox" : "radio";
    const inputs = round.choices.map(({ key }) =>
      el("input", {
        type,
        name: "choice",
        value: key,
        checked: this.keys.includes(key),
        onchange: () => this.chosen(),
      }),
    );
    this.inputs = inputs;
    const rows = round.choices.map(({ html }, i) =>
      el("label", { className: "choice", data: { key: String(i + 1) } }, inputs[i], el("span", { innerHTML: html })),
    );
    return el("div", { className: "choices" }, this.hint(round.hint), rows);
  }

  /** @type {(hint: string) => HTMLElement | ""} */
  hint(hint) {
    return hint && el("p", { className: "quiet", textContent: hint });
  }

  /** @type {(event: KeyboardEvent) => void} */
  key(event) {
    // as the page's own question has it: number keys choose, Enter answers
    const { key, altKey, ctrlKey, metaKey, defaultPrevented } = event,
      target = /** @type {Element} */ (event.composedPath()[0]);
    if (!this.open || this.box.hidden || altKey || ctrlKey || metaKey || defaultPrevented) return;
    if (
      target.closest?.(
        "input:not([type=radio], [type=checkbox]), textarea, select, button, summary, a, [contenteditable=true]",
      )
    )
      return;
    if (key === "Enter" && !this.idle && !target.closest?.("form")) this.send.click();
    else if (/^[1-9]$/.test(key)) this.inputs?.[+key - 1]?.click();
  }

  chosen() {
    this.keys = (this.inputs ?? []).filter(({ checked }) => checked).map(({ value }) => value);
    this.draw();
  }

  words() {
    this.field = el("input", {
      type: "text",
      maxLength: 200,
      placeholder: "Your answer",
      ariaLabel: "Your answer",
      value: this.keys[0] ?? "",
      oninput: () => {
        this.keys = this.field.value.trim() ? [this.field.value.trim()] : [];
        this.ready();
      },
    });
    return el("div", { className: "choices" }, this.field);
  }

  /** @type {(round: RoundState) => HTMLElement} */
  number({ limits, step_by, hint }) {
    const step = step_by ?? "any",
      now = this.keys[0] ?? "";
    this.field = el("input", {
      type: "text",
      inputMode: "decimal",
      placeholder: "A number",
      ariaLabel: "Your answer, a number",
      value: now,
      oninput: () => this.typed(this.field.value),
    });
    const slider =
      limits &&
      el("input", {
        type: "range",
        min: limits[0],
        max: limits[1],
        step,
        ariaLabel: "Your answer",
        value: now === "" ? (limits[0] + limits[1]) / 2 : now,
        oninput: () => this.typed(slider?.value ?? ""),
      });
    this.slider = slider;
    return el(
      "div",
      { className: "choices" },
      this.hint(hint),
      el("div", { className: "row" }, this.slider, this.field),
    );
  }

  /** @type {(text: string) => void} */
  typed(text) {
    const limits = this.round?.limits,
      { value, said } = typed(text, limits?.[0], limits?.[1]);
    this.keys = value === undefined ? [] : [String(+value.toPrecision(10))];
    if (this.field.value !== text) this.field.value = text;
    if (this.slider && value !== undefined) this.slider.value = String(value);
    this.refused = text.trim() ? said : undefined;
    this.draw();
  }

  draw() {
    // in the picture, too
    if (!this.round?.choices.length || this.round.by_hand)
      document.dispatchEvent(new CustomEvent("samplescope:guessed", { detail: this.keys[0] ?? null }));
    this.ready();
  }

  /** @type {(value: string) => void} */
  marked(value) {
    // in the picture
    const { round } = this;
    if (!round?.open || !samePlace(this.here, round)) return;
    if (!round.choices.length) return this.typed(value);
    for (const input of this.inputs ?? []) input.checked = input.value === value;
    this.chosen();
  }

  get idle() {
    // whether a press of the button has nothing new to send
    const same = this.answered && this.keys.join("\n") === this.answered.join("\n");
    return !this.keys.length || Boolean(this.pending) || Boolean(same);
  }

  ready() {
    this.send.ariaDisabled = String(this.idle); // but never disabled: the press before this one may still be on its way
    this.send.textContent = this.answered ? "Change it" : "Answer";
  }

  /** @type {(event: Event, round: RoundState) => void} */
  answer(event, round) {
    event.preventDefault();
    if (!this.keys.length) this.status.textContent = this.refused ?? "Give an answer first.";
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
    if (keys && !this.keys.length) this.restore(keys);
    this.tell();
    this.ready();
  }

  /** @type {(keys: string[]) => void} */
  restore(keys) {
    // after a reload
    this.keys = keys;
    this.drawn = null;
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
    document.removeEventListener("samplescope:guess", this.onguess);
    document.removeEventListener("keydown", this.onkey);
    document.removeEventListener("samplescope:proved", this.onproved);
    document.removeEventListener("samplescope:here", this.onplace);
    document.documentElement.removeAttribute("data-asked");
  }
}
