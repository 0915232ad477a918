// The form of a question, for page, class and published course: what is answered with, and what is said to the answer.
// A host hands it the question and how that stands, and hears what is pressed. It and the picture tell each other of a
// guess that is not checked yet, and what is set is kept in the tab, so that it is there after a reload.

import { element } from "../player/canvas.js";
import { LOOKS, kept, written } from "./looks.js";
import { running } from "./running.js";

/** @import { FormQuestion, FormState, RuleQuestion, RuleVerdict } from "../messages.js" */
/** @import { Desk } from "../judge/desk.js" */
/** @import { Look } from "./looks.js" */
/**
 * @typedef {{
 *   check: (keys: string[], verdict?: RuleVerdict) => void, again?: () => void, tell?: () => void,
 *   changed?: () => void, hears?: () => boolean, label?: string,
 *   desk?: (box: HTMLElement, proved: (texts: string[], verdict: RuleVerdict) => void) => Desk,
 * }} Host what it does at a press, whether a press in the picture is meant for it, and where a rule is written
 */

const DRAFT = "samplescope draft ";
/** @type {FormState} */
export const OPEN = { given: null, words: "", note: "", locked: "", said: [], told: "", again: "", more: "" };

export class Form {
  /** @type {FormQuestion} */ question;
  /** @type {FormState} */ state = OPEN;
  /** @type {Look | undefined} */ look;
  /** @type {Desk | undefined} */ desk;
  seen = "";

  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    this.box = element("form", "st-key-question bordered");
    this.box.noValidate = true;
    this.box.onsubmit = (event) => {
      event.preventDefault();
      this.check();
    };
    this.button = Object.assign(element("button", "primary", host.label ?? "Check"), { type: "submit" });
    this.note = Object.assign(element("p", "quiet st-key-locked"), { role: "status" });
    this.onguess = (/** @type {CustomEvent<string>} */ { detail }) => this.put(detail);
    this.onasks = () => this.hears && this.keys.length && this.announce();
    document.addEventListener("samplescope:guess", this.onguess);
    document.addEventListener("samplescope:asks", this.onasks);
  }

  close() {
    document.removeEventListener("samplescope:guess", this.onguess);
    document.removeEventListener("samplescope:asks", this.onasks);
    this.desk?.close();
  }

  /** @type {(question: FormQuestion, state?: FormState) => void} */
  receive(question, state = OPEN) {
    const seen = JSON.stringify([question, state]);
    if (seen === this.seen) return; // something may be set or written just now
    const same = question.name && question.name === this.question?.name && !this.state.given && !state.given,
      before = same ? this.look?.draft : null;
    Object.assign(this, { seen, question, state });
    if (question.rule) return this.writes(question.rule);
    this.look = new LOOKS[question.look](question, () => this.changed());
    this.box.replaceChildren(...(state.given ? this.answered(state.given) : this.open()));
    if (state.given) return this.keep([]);
    const draft = before ?? this.kept;
    if (draft.length) this.look.draft = draft;
    if (this.keys.length) this.announce();
  }

  get keys() {
    return this.look?.keys ?? [];
  }

  /** @param {string[]} draft what is set, not checked yet */
  set draft(draft) {
    if (!this.look) return;
    this.look.draft = draft;
    this.announce();
  }

  // ---- while it is open ---------------------------------------------------------------------------------------------

  /** @type {() => Node[]} */
  open() {
    const { hint } = this.question,
      check = element("div", "st-key-check");
    this.note.textContent = this.state.locked;
    check.append(this.button);
    return [
      ...this.noted(),
      ...(hint ? [element("p", "quiet hint", hint)] : []),
      /** @type {Look} */ (this.look).box,
      check,
      this.note,
    ];
  }

  noted() {
    return this.state.note ? [element("p", "quiet", this.state.note)] : [];
  }

  changed() {
    this.note.textContent = this.state.locked;
    this.keep(this.look?.draft ?? []);
    this.announce();
    this.host.changed?.();
  }

  announce() {
    document.dispatchEvent(new CustomEvent("samplescope:guessed", { detail: this.keys[0] ?? null })); // to the picture
  }

  get hears() {
    return !this.state.given && (this.host.hears?.() ?? this.box.checkVisibility());
  }

  /** @type {(value: string) => void} a guess that was set in the picture */
  put(value) {
    if (!this.look || !this.hears) return;
    this.look.draft = [value];
    this.changed();
  }

  /** @type {string[]} what was set before a reload */
  get kept() {
    const { name, options } = this.question;
    try {
      const draft = JSON.parse((name && sessionStorage.getItem(DRAFT + name)) || "[]");
      return options.length
        ? draft.filter((/** @type {string} */ one) => options.some(({ key }) => key === one))
        : draft;
    } catch {
      return [];
    }
  }

  /** @type {(draft: string[]) => void} */
  keep(draft) {
    const { name } = this.question;
    try {
      if (name && draft.length) sessionStorage.setItem(DRAFT + name, JSON.stringify(draft));
      else if (name) sessionStorage.removeItem(DRAFT + name);
    } catch {
      /* a browser that keeps nothing */
    }
  }

  check() {
    const { keys } = this;
    if (this.box.closest("[data-held]")) return; // a class waits until it is asked
    if (keys.length) return this.host.check(keys);
    const { limits, options } = this.question,
      [low, high] = (limits ?? []).map((end) => kept(end).replace("-", "−"));
    const what = limits && !options.length ? `Answer with a number from ${low} to ${high}` : "Answer first";
    this.note.textContent = `${what}, then press ${this.button.textContent}.`;
  }

  // ---- a rule -------------------------------------------------------------------------------------------------------

  /** @type {(rule: RuleQuestion) => void} */
  writes(rule) {
    const { given, locked } = this.state,
      { name, hint } = this.question;
    if (!this.desk) {
      const box = element("div", "");
      this.desk = this.host.desk?.(box, (texts, verdict) => this.host.check(texts, verdict));
      this.box.replaceChildren(box);
    }
    const desk = /** @type {Element} */ (this.box.firstElementChild);
    this.note.textContent = given ? "" : [hint, locked].filter(Boolean).join(" ");
    while (desk.nextSibling) desk.nextSibling.remove(); // it stays where it is: she may be writing
    this.box.append(...(given ? this.verdict() : [this.note]));
    this.desk?.receive({ ...rule, name, given });
  }

  // ---- once it is answered ------------------------------------------------------------------------------------------

  /** @type {(given: string[]) => Node[]} */
  answered(given) {
    return [...this.noted(), ...(this.question.options.length ? [this.folded(given)] : []), ...this.verdict()];
  }

  /** @type {(given: string[]) => HTMLElement} the choices, which can be read again */
  folded(given) {
    const fold = element("details", "folded"),
      held = Object.assign(element("fieldset", ""), { disabled: true }),
      { words } = this.state, // a guess is repeated in the sentence about it
      head = written("summary", "", words ? `Your answer: <b>${words}</b>` : "The choices"),
      look = /** @type {Look} */ (this.look);
    Object.assign(head.lastElementChild ?? head, { lang: this.question.lang });
    look.draft = given;
    held.append(look.box);
    fold.append(head, held);
    return fold;
  }

  /** @type {() => HTMLElement[]} */
  verdict() {
    const { said, told, again, more } = this.state,
      found = element("div", "st-key-verdict"); // here the keyboard's focus goes, see pages/player/focusing.js
    found.append(...said.map(({ right, html }) => this.reason(right === null ? "" : right ? "right" : "wrong", html)));
    /** @type {HTMLElement[]} */
    const parts = [found];
    if (more) parts.push(written("p", "more", more));
    if (told) {
      const shown = element("div", "st-key-told");
      shown.append(this.reason("", told));
      parts.push(shown);
    }
    const { own } = this.question,
      { given } = this.state;
    if (own && given) parts.push(running(own, +given[0]));
    if (again) parts.push(this.ways(again));
    return parts;
  }

  /** @type {(look: string, html: string) => HTMLElement} */
  reason(look, html) {
    const { lang, dir } = this.question;
    return Object.assign(written("div", `said ${look}`, html), { lang, dir });
  }

  /** @type {(again: string) => HTMLElement} */
  ways(again) {
    const ways = element("p", "ways");
    for (const [name, label, act] of /** @type {const} */ ([
      ["again", again, () => this.host.again?.()],
      ["tell", "Show the answer", () => this.host.tell?.()],
    ]))
      ways.append(Object.assign(element("button", `st-key-${name}`, label), { type: "button", onclick: act }), " ");
    return ways;
  }
}
