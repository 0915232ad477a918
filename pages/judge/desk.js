// The desk at which a learner writes a rule: its lines, the names with their values in the update that is shown, that
// update with her weights, a chain that moves by her rule, and the proof. Where the stage beside it plays the rule, the
// desk hands the lines on to it, and has the numbers of the stage's update.

import { element } from "../player/canvas.js";
import { Bench } from "./bench.js";
import { button, drawnVerdict, valued } from "./drawing.js";
import { keyboard, put } from "./keys.js";
import { RuleError, read } from "./rule.js";
import { Staged } from "./staged.js";

/** @import { RuleQuestion, RuleTable, RuleVerdict } from "../messages.js" */
/** @import { Node } from "./rule.js" */
/** @typedef {(said: string | null) => void} Say */
/** @typedef {Pick<RuleQuestion, "problem" | "seed" | "written" | "case"> & { name: string, given: string[] | null }} RuleAsked the lines are given once they are proved */
/**
 * @typedef {{ table: (problem: string, points: number) => Promise<RuleTable>,
 *   verdict: (problem: string, texts: string[], say: Say) => Promise<RuleVerdict>,
 *   proved: (texts: string[], verdict: RuleVerdict) => void,
 *   wrote: (texts: string[]) => void }} Ways to what the desk does not have; `wrote` to the stage
 */

const PAUSE = 350; // milliseconds without a key, after which the stage gets the lines
const DRAFT = "samplescope rule ",
  PROVING = "samplescope proving "; // until the answer is kept: she may leave while the judge is at work

export class Desk {
  /** @type {RuleAsked} */ asked;
  /** @type {HTMLInputElement[]} */ fields = [];
  /** @type {HTMLElement | undefined} */ said;
  /** @type {HTMLElement | undefined} */ names;
  /** @type {HTMLElement | undefined} */ update;
  /** @type {HTMLElement | undefined} */ proof;
  /** @type {string[]} */ texts = [];
  line = 0; // that is written
  option = -1; // whose values are shown
  told = "";
  seeks = false; // whether a verdict that she has just asked for is to be brought into view
  /** @type {Bench | Staged} the update that is shown */ shown;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ writing;

  /** @param {HTMLElement} root @param {Ways} ways */
  constructor(root, ways) {
    this.root = root;
    this.ways = ways;
    this.shown = new Staged(this, []);
  }

  close() {
    this.shown.close();
    clearTimeout(this.writing);
  }

  /** @type {(asked: RuleAsked) => void} */
  receive(asked) {
    const { case: found, written, ...rest } = asked,
      told = JSON.stringify(rest);
    this.asked = asked;
    if (!found?.length && told === this.told) return; // she may be writing, or the stage is at work
    if (found && told === this.told) {
      this.shown = new Staged(this, found);
      this.show();
      return;
    }
    this.told = told;
    this.close();
    this.shown = found ? new Staged(this, found) : new Bench(this);
    Object.assign(this, { line: 0, option: -1 }); // another rule may have fewer lines
    const { left } = this;
    this.texts = asked.problem.lines.map((_, i) => asked.given?.[i] ?? left[i] ?? written[i] ?? this.draft[i] ?? "");
    if (asked.given) this.draft = this.texts;
    this.build();
    if (this.shown instanceof Bench) this.shown.load();
    else this.hand();
    this.show();
    if (left.length) this.prove();
  }

  /** @type {() => void} the lines on to the stage, if they are others than those by which it moves */
  hand() {
    const whole = this.trees().every((tree) => !(tree instanceof RuleError)),
      texts = whole ? [...this.texts] : this.texts.some((text) => text.trim()) ? null : [];
    if (texts && !this.asked.given && JSON.stringify(texts) !== JSON.stringify(this.asked.written))
      this.ways.wrote(texts);
  }

  /** @type {string[]} what she wrote last, also after she has gone on and come back */
  get draft() {
    try {
      return JSON.parse(sessionStorage.getItem(DRAFT + this.asked.name) ?? "[]");
    } catch {
      return [];
    }
  }

  set draft(texts) {
    try {
      sessionStorage.setItem(DRAFT + this.asked.name, JSON.stringify(texts));
      sessionStorage.removeItem(PROVING + this.asked.name);
    } catch {
      /* a browser that keeps nothing */
    }
  }

  /** @type {string[]} the rule that was judged when she went, before it was an answer; the address may have an older one */
  get left() {
    try {
      return JSON.parse((!this.asked.given && sessionStorage.getItem(PROVING + this.asked.name)) || "[]");
    } catch {
      return [];
    }
  }

  get problem() {
    return this.asked.problem;
  }

  build() {
    const { given, problem } = this.asked,
      part = (/** @type {string} */ className, tag = "div") => element(/** @type {"div"} */ (tag), className);
    this.fields = problem.lines.map((_, i) => this.field(i));
    this.said = Object.assign(part("rule-said"), { role: "status" });
    this.names = part("rule-names");
    this.update = part("rule-update");
    this.proof = Object.assign(part("rule-proof"), { role: "status" });
    const lines = this.fields.map((field, i) => {
      const label = element("label", "rule-line");
      label.append(element("span", "", `${this.labelled(problem.lines[i].label)} =`), field);
      return label;
    });
    this.root.replaceChildren(
      ...lines,
      this.said,
      ...(given ? [] : [button("Prove it", () => this.prove(), "prove")]),
      this.proof,
      ...(given ? [] : [this.names, keyboard((text) => this.press(text))]),
      ...(given && this.shown instanceof Staged ? [] : [this.update]),
    );
    if (given) this.judge();
  }

  /** @type {(label: string) => string} */
  labelled(label) {
    const { form } = this.problem;
    if (form === "weights") return `weight of ${label}`;
    return form === "logarithms" ? `log weight of ${label}` : label;
  }

  /** @type {(i: number) => HTMLInputElement} */
  field(i) {
    const field = Object.assign(element("input", ""), {
      type: "text",
      value: this.texts[i],
      maxLength: 400,
      readOnly: Boolean(this.asked.given),
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: false,
    });
    field.onfocus = () => this.turn(i);
    field.oninput = () => {
      this.texts[i] = field.value;
      this.draft = this.texts;
      this.proof?.replaceChildren();
      this.show();
      clearTimeout(this.writing);
      if (this.shown instanceof Staged) this.writing = setTimeout(() => this.hand(), PAUSE);
    };
    field.onkeydown = (event) => {
      if (event.key === "Enter" && !this.asked.given) this.prove();
    };
    return field;
  }

  /** @type {(i: number) => void} to another line */
  turn(i) {
    if (this.line === i) return;
    this.line = i;
    this.option = -1;
    this.show();
  }

  /** @type {(text: string) => void} */
  press(text) {
    const field = this.fields[this.line];
    put(field, text);
    if (matchMedia("(hover: hover)").matches) field.focus(); // on a phone its own keyboard would come up
  }

  // ---- while she writes ---------------------------------------------------------------------------------------------

  /** @type {() => (Node | RuleError)[]} */
  trees() {
    return this.problem.lines.map(({ names }, i) => {
      try {
        return read(
          this.texts[i],
          names.map(({ name }) => name),
        );
      } catch (error) {
        if (error instanceof RuleError) return error;
        throw error;
      }
    });
  }

  /** @type {(name: string) => string} */
  symbol(name) {
    const all = this.problem.lines.flatMap(({ names }) => names);
    return all.find((one) => one.name === name)?.symbol ?? name;
  }

  show() {
    this.sayErrors(this.shown.fault());
    this.shown.draw();
    this.drawNames();
  }

  /** @type {(option: number, line: number) => HTMLButtonElement} of an update: it shows its values when it is pressed */
  optionButton(option, line) {
    const row = button("", () => {
      this.line = Math.max(0, line);
      this.option = option;
      this.show();
    });
    row.setAttribute("aria-pressed", String(option === this.option));
    return row;
  }

  /** @type {(said: string) => void} */
  sayErrors(said) {
    if (this.asked.given) return;
    const wrong = this.trees().flatMap((tree, i) =>
      tree instanceof RuleError && this.texts[i].trim() ? [{ tree, text: this.texts[i], i }] : [],
    );
    this.fields.forEach((field, i) => field.setAttribute("aria-invalid", String(wrong.some((one) => one.i === i))));
    const parts = wrong.map(({ tree, text }) => {
      const line = element("p", ""),
        sign = /^(?:[\p{L}\p{N}_.]+|.)?/u.exec(text.slice(tree.at))?.[0] ?? "",
        place = element("code", "", text.slice(0, tree.at));
      place.append(element("mark", "", sign || " "), text.slice(tree.at + sign.length));
      line.append(`${tree.message} `, place);
      return line;
    });
    if (said) parts.push(element("p", "", said));
    this.said?.replaceChildren(...parts);
  }

  drawNames() {
    const known = this.shown.known();
    if (!known || this.asked.given) return;
    this.names?.replaceChildren(
      ...this.problem.lines[this.line].names.flatMap(({ name, symbol, meaning }) => {
        const chip = button(name, () => this.press(name));
        chip.title = meaning;
        const value = name in known ? valued(known[name]) : "–",
          written = symbol === name ? "" : `${symbol}, `;
        return [chip, element("b", "", value), element("span", "", written + meaning)];
      }),
    );
  }

  // ---- the proof ----------------------------------------------------------------------------------------------------

  async prove() {
    const wrong = this.trees().findIndex((tree) => tree instanceof RuleError);
    if (wrong >= 0) {
      this.line = wrong;
      this.show();
      const tree = /** @type {RuleError} */ (this.trees()[wrong]);
      if (!this.texts[wrong].trim()) this.said?.replaceChildren(element("p", "", tree.message));
      this.fields[wrong].focus();
      return;
    }
    this.mark();
    const texts = [...this.texts],
      verdict = await this.judge();
    if (!verdict) return;
    this.ways.proved(texts, verdict);
    this.seeks = true;
  }

  seek() {
    // the verdict is below the fields, and its reason below it
    this.seeks = false;
    for (const part of [this.root.closest(".st-key-question"), this.proof]) part?.scrollIntoView({ block: "nearest" });
  }

  mark() {
    try {
      sessionStorage.setItem(PROVING + this.asked.name, JSON.stringify(this.texts));
    } catch {
      /* a browser that keeps nothing */
    }
  }

  /** @type {() => Promise<RuleVerdict | null>} */
  async judge() {
    const { problem, told, proof } = this,
      say = (/** @type {string | null} */ words) =>
        words && proof?.replaceChildren(element("p", "quiet", `${words} …`));
    say("Comparing every update");
    try {
      const verdict = await this.ways.verdict(problem.id, [...this.texts], say);
      if (told !== this.told) return null;
      proof?.replaceChildren(drawnVerdict(verdict, problem, this.shown instanceof Staged));
      if (this.seeks && this.asked.given) this.seek();
      return verdict;
    } catch (error) {
      proof?.replaceChildren(element("p", "", error instanceof Error ? error.message : ""));
      return null;
    }
  }
}
