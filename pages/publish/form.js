// The form of a question beside the picture: choices, lines, a number, a slider or a bar, and what is said to an answer.

import { inSteps } from "../player/dials.js";
import { typed } from "../player/typed.js";
import { Desk } from "../judge/desk.js";
import { isRight as isProved } from "../judge/kinds.js";
import { element } from "../player/canvas.js";
import { tableFrom, verdictFrom } from "./judging.js";
import { written } from "./map.js";
import { json } from "./packs.js";
import { canBe, isRight, saidOf } from "./step.js";

/** @import { Question, RuleQuestion, RuleVerdict } from "../messages.js" */
/** @import { Keys } from "./step.js" */
/** @typedef {{ guess: (value: string) => void, check: (keys: string[]) => void, again: () => void, tell: () => void }} Heard */

export class Form {
  /** @param {Question} question @param {string} title @param {Keys} given @param {boolean} told the right answer @param {Heard} heard */
  constructor(question, title, given, told, heard) {
    this.question = question;
    this.heard = heard;
    this.box = element("div", "st-key-question bordered");
    if (question.hint) this.box.append(element("p", "quiet", question.hint));
    if (question.rule) this.box.append(this.rule(question.rule, given));
    else this.box.append(question.options.length ? this.choices(title, given) : this.number(given));
    if (given) this.verdict(given, told);
    else if (!question.rule) this.waits();
  }

  /** @type {(title: string, given: Keys) => HTMLElement} */
  choices(title, given) {
    const { look, options } = this.question,
      kind = look === "several" ? "checkbox" : "radio",
      group = element("div", "");
    group.setAttribute("role", look === "several" ? "group" : "radiogroup");
    group.setAttribute("aria-label", written("i", "", title).textContent ?? "");
    group.append(
      ...options.map(({ key, html }) => {
        const label = element("label", ""),
          input = Object.assign(element("input", ""), {
            type: kind,
            name: "choice",
            value: key,
            disabled: Boolean(given),
            checked: Boolean(given?.includes(key)),
          });
        input.onchange = () => this.question.guessed && this.heard.guess(key);
        const words = written("p", "", html);
        if (words.querySelector("math")) input.ariaLabel = words.textContent; // a formula alone names nothing
        label.append(input, words);
        if (look === "several") label.dataset.testid = "stCheckbox";
        return label;
      }),
    );
    const around = element("div", `st-key-${look}`);
    around.append(group);
    return around;
  }

  /** @type {(rule: RuleQuestion, given: Keys) => HTMLElement} */
  rule({ problem, file, museum, seed }, given) {
    const box = element("div", ""),
      place = element("div", ""),
      { options } = this.question,
      desk = new Desk(place, {
        table: (_, points) => tableFrom(file, points),
        verdict: (_, texts) => verdictFrom(file, texts),
        proved: (texts, verdict) => this.heard.check([...texts, optionOf(options, verdict)]),
        wrote: () => {}, // the stage of a course without a server plays the right rule
      });
    desk.receive({
      problem,
      name: file,
      given: given && given.slice(0, -1),
      seed,
      session: "",
      written: [],
      case: null,
    });
    box.append(place, ...(given ? [museumOf(museum)] : []));
    return box;
  }

  /** @type {(given: Keys) => HTMLElement} */
  number(given) {
    const { look, grain, limits, empty } = this.question,
      slides = look !== "number",
      label = element("label", `guess-field ${look}`, "Your guess ");
    const field = Object.assign(element("input", ""), {
      type: slides ? "range" : "text",
      inputMode: "decimal",
      disabled: Boolean(given),
      placeholder: empty,
    });
    if (limits) Object.assign(field, { min: String(limits[0]), max: String(limits[1]) });
    field.step = slides || limits ? String(grain) : "any";
    const now = given?.[0] ?? (slides ? String(limits?.[0]) : "");
    field.value = now;
    const shown = element("output", "", slides ? inSteps(now, String(grain)) : "");
    const refused = element("output", "refused", "");
    field.onchange = () => {
      refused.textContent = slides || field.value.trim() === "" ? "" : (this.typed.said ?? "");
    };
    field.oninput = () => {
      refused.textContent = "";
      if (slides) shown.textContent = inSteps(field.value, String(grain));
      if (this.keys.length) this.heard.guess(this.keys[0]);
    };
    label.append(field, shown, refused);
    return label;
  }

  get typed() {
    const [low, high] = this.question.limits ?? [];
    return typed(/** @type {HTMLInputElement} */ (this.box.querySelector("input")).value, low, high);
  }

  /** @type {string[]} */
  get keys() {
    /** @type {HTMLInputElement[]} */
    const fields = [...this.box.querySelectorAll("input")];
    if (this.question.options.length) return fields.filter(({ checked }) => checked).map(({ value }) => value);
    const { value } = this.typed;
    return value === undefined ? [] : [String(+value.toPrecision(10))];
  }

  /** @type {(value: string) => void} */
  put(value) {
    // a guess that was set on a chart
    /** @type {HTMLInputElement[]} */
    const fields = [...this.box.querySelectorAll("input")];
    if (this.question.options.length) for (const field of fields) field.checked = field.value === value;
    else {
      fields[0].value = value;
      if (fields[0].type === "range")
        /** @type {Element} */ (fields[0].nextElementSibling).textContent = inSteps(value, fields[0].step);
    }
  }

  waits() {
    const { question } = this,
      check = element("div", "st-key-check"),
      note = element("p", "quiet", question.locked);
    note.setAttribute("role", "status");
    const button = Object.assign(element("button", "primary", "Check"), { type: "button" });
    button.onclick = () => {
      if (canBe(question, this.keys)) return this.heard.check(this.keys);
      const { limits } = question;
      note.textContent =
        limits && !question.options.length
          ? `Answer with a number from ${limits[0]} to ${limits[1]}, then press Check.`
          : "Answer first, then press Check.";
    };
    check.append(button);
    this.box.append(check, note);
  }

  /** @type {(given: string[], told: boolean) => void} */
  verdict(given, told) {
    const { question } = this,
      right = isRight(question, given),
      said = saidOf(question, given),
      found = element("div", "st-key-verdict"); // here the keyboard's focus goes, see pages/player/focusing.js
    found.append(...said.map((one) => written("div", `said ${one.right ? "right" : "wrong"}`, one.html)));
    if (question.look === "several" && !right && said.every((one) => one.right))
      found.append(element("div", "said", "True, but there is more."));
    this.box.append(found);
    if (right) return;
    if (told) {
      const shown = element("div", "st-key-told");
      shown.append(written("div", "said", question.shown));
      this.box.append(shown);
      return;
    }
    const ways = element("p", "ways");
    ways.append(
      pressing(question.again, this.heard.again, "st-key-again"),
      " ",
      pressing("Show the answer", this.heard.tell, "st-key-tell"),
    );
    this.box.append(ways);
  }
}

const ELSE = "else"; // the option of a wrong rule that no other fits

/** @type {(options: Question["options"], verdict: RuleVerdict) => string} the key of the option that a rule comes to */
function optionOf(options, verdict) {
  const right = isProved(verdict),
    named = options.find((one) => (right ? one.right : !one.right && one.key === verdict.named));
  return named?.key ?? ELSE;
}

/** @type {(label: string, onclick: () => void, className: string) => HTMLElement} */
const pressing = (label, onclick, className) =>
  Object.assign(element("button", className, label), { type: "button", onclick });

/** @type {(file: string) => HTMLElement} the known errors of a rule, which are fetched when they are asked for */
function museumOf(file) {
  const fold = element("details", "museum-fold"),
    inside = element("div", "");
  fold.append(element("summary", "", "Museum of errors"), inside);
  fold.ontoggle = async () => {
    if (fold.open && !inside.childElementCount) inside.innerHTML = String(await json(file));
  };
  return fold;
}
