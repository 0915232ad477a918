// The looks of questions: how each is drawn, and what is answered with it. Page, class and published course know no others.

import { element } from "../player/canvas.js";
import { inSteps } from "../player/dials.js";
import { typed } from "../player/typed.js";

/** @import { FormQuestion } from "../messages.js" */

const LABEL = "Your guess",
  LONGEST = 200; // characters of an answer in words
let groups = 0; // of choices: each has a name of its own, or one would untick another's

/** @type {<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, className: string, html: string) => HTMLElementTagNameMap[Tag]} */
export const written = (tag, className, html) => Object.assign(element(tag, className), { innerHTML: html });

/** @type {(html: string) => string} */
export const wordsOf = (html) => written("i", "", html).textContent ?? "";

/** @type {(number: number) => string} */
export const kept = (number) => String(+number.toPrecision(10)); // as lessons/format/guesses.py writes it

export class Choices {
  /** @param {FormQuestion} question @param {() => void} changed */
  constructor({ look, title, lang, dir, options }, changed) {
    const several = look === "several";
    this.box = element("div", `choices st-key-${look}`);
    this.box.setAttribute("role", several ? "group" : "radiogroup");
    this.box.setAttribute("aria-label", wordsOf(title));
    Object.assign(this.box, { lang, dir });
    groups += 1;
    this.fields = options.map(({ key }) =>
      Object.assign(element("input", ""), {
        type: several ? "checkbox" : "radio",
        name: `choice ${groups}`,
        value: key,
        onchange: changed,
      }),
    );
    this.box.append(
      ...options.map(({ html }, i) => {
        const label = element("label", ""),
          words = written("span", "", html);
        if (words.querySelector("math")) this.fields[i].ariaLabel = words.textContent; // a formula alone names nothing
        label.append(this.fields[i], words);
        return label;
      }),
    );
  }

  get keys() {
    return this.fields.filter(({ checked }) => checked).map(({ value }) => value);
  }

  get draft() {
    return this.keys;
  }

  set draft(keys) {
    for (const field of this.fields) field.checked = keys.includes(field.value);
  }
}

export class Typed {
  /** @param {FormQuestion} question @param {() => void} changed */
  constructor({ limits, empty }, changed) {
    this.limits = limits ?? [];
    this.box = element("label", "guess-field number", `${LABEL} `);
    this.field = Object.assign(element("input", ""), {
      type: "text",
      inputMode: "decimal",
      placeholder: empty,
      ariaLabel: LABEL, // without what is written beside it
    });
    this.field.autocomplete = "off";
    this.refused = Object.assign(element("output", "refused"), { role: "alert" });
    this.field.oninput = () => {
      this.refused.textContent = "";
      changed();
    };
    this.field.onchange = () => {
      this.refused.textContent = this.why ?? "";
    };
    this.box.append(this.field, this.refused);
  }

  get read() {
    const [low, high] = this.limits,
      found = typed(this.field.value, low, high);
    if (found.value !== undefined || low !== 0 || high !== 1) return found;
    const percent = typed(this.field.value, 1, 100); // a share is told in per cent as well
    return percent.value === undefined ? found : { value: percent.value / 100 };
  }

  get why() {
    return this.field.value.trim() ? this.read.said : undefined;
  }

  get keys() {
    const { value } = this.read;
    return value === undefined ? [] : [kept(value)];
  }

  get draft() {
    return this.field.value ? [this.field.value] : [];
  }

  set draft([text = ""]) {
    this.field.value = text;
    this.refused.textContent = this.why ?? "";
  }
}

export class Slider {
  /** @param {FormQuestion} question @param {() => void} changed */
  constructor({ grain, limits }, changed) {
    const [low, high] = (limits ?? [0, 1]).map(kept);
    this.grain = kept(grain);
    this.box = element("label", "guess-field", `${LABEL} `);
    this.field = Object.assign(element("input", ""), {
      type: "range",
      min: low,
      max: high,
      step: this.grain,
      ariaLabel: LABEL,
    });
    this.shown = element("output", "");
    this.field.oninput = () => {
      this.show();
      changed();
    };
    this.box.append(this.field, this.shown);
    this.draft = [low];
  }

  show() {
    this.shown.textContent = inSteps(this.field.value, this.grain);
  }

  get keys() {
    return [kept(+this.field.value)];
  }

  get draft() {
    return this.keys;
  }

  set draft([value]) {
    this.field.value = value ?? this.field.min;
    this.show();
  }
}

export class Words {
  /** @param {FormQuestion} _ @param {() => void} changed */
  constructor(_, changed) {
    this.box = element("label", "guess-field words");
    this.field = Object.assign(element("input", ""), {
      type: "text",
      maxLength: LONGEST,
      placeholder: "Your answer",
      ariaLabel: "Your answer",
      oninput: changed,
    });
    this.box.append(this.field);
  }

  get keys() {
    const words = this.field.value.trim();
    return words ? [words] : [];
  }

  get draft() {
    return this.keys;
  }

  set draft([words = ""]) {
    this.field.value = words;
  }
}

/** @typedef {{ box: HTMLElement, keys: string[], draft: string[] }} Look what is answered, and what is set */
/** @type {Record<string, new (question: FormQuestion, changed: () => void) => Look>} */
export const LOOKS = {
  one: Choices,
  several: Choices,
  lines: Choices,
  number: Typed,
  slider: Slider,
  text: Words,
};
