// The desk at which a learner writes a rule: its lines, the names with their values in the update that is shown, that
// update with her weights, a chain that moves by her rule, and the proof.

import { element } from "../player/canvas.js";
import { bar, changing, drawnState, drawnVerdict, figure } from "./drawing.js";
import { keyboard, put } from "./keys.js";
import { RuleError, read } from "./rule.js";
import { Broken, Table } from "./table.js";
import { begun, moved, optionsAt } from "./walk.js";

/** @import { RuleProblem, RuleTable, RuleVerdict } from "../messages.js" */
/** @import { Known, Node } from "./rule.js" */
/** @import { Place } from "./walk.js" */
/** @typedef {(said: string | null) => void} Say */
/** @typedef {{ problem: RuleProblem, name: string, given: string[] | null, seed: number }} RuleAsked the lines are given once they are proved */
/**
 * @typedef {{ table: (problem: string, points: number) => Promise<RuleTable>,
 *   verdict: (problem: string, texts: string[], say: Say) => Promise<RuleVerdict>,
 *   proved: (texts: string[], verdict: RuleVerdict) => void }} Ways to what the desk does not have
 */

const PACE = 700; // milliseconds of an update while it plays
const DRAFT = "samplescope rule ";

/** @type {(label: string, onclick: () => void, className?: string) => HTMLButtonElement} */
const button = (label, onclick, className = "") =>
  Object.assign(element("button", className, label), { type: /** @type {const} */ ("button"), onclick });

export class Desk {
  /** @type {RuleAsked} */ asked;
  /** @type {HTMLInputElement[]} */ fields = [];
  /** @type {HTMLElement | undefined} */ said;
  /** @type {HTMLElement | undefined} */ names;
  /** @type {HTMLElement | undefined} */ update;
  /** @type {HTMLElement | undefined} */ proof;
  /** @type {string[]} */ texts = [];
  line = 0; // that is written
  /** @type {Table | undefined} */ table;
  /** @type {Place} */ place = { t: 0, state: 0, site: 0 };
  option = -1; // whose values are shown
  /** @type {ReturnType<typeof setInterval> | undefined} */ playing;
  told = "";

  /** @param {HTMLElement} root @param {Ways} ways */
  constructor(root, ways) {
    this.root = root;
    this.ways = ways;
  }

  close() {
    clearInterval(this.playing);
  }

  /** @type {(asked: RuleAsked) => void} */
  receive(asked) {
    const told = JSON.stringify(asked);
    if (told === this.told) return; // she may be writing
    this.told = told;
    this.asked = asked;
    this.close();
    this.texts = asked.problem.lines.map((_, i) => asked.given?.[i] ?? this.draft[i] ?? "");
    if (asked.given) this.draft = this.texts;
    this.build();
    this.load();
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
    } catch {
      /* a browser that keeps nothing */
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
      ...(given ? [this.proof, this.update] : [this.names, keyboard((text) => this.press(text)), this.update]),
      ...(given ? [] : [button("Prove it", () => this.prove(), "prove"), this.proof]),
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

  async load() {
    const { problem } = this.asked;
    try {
      const table = new Table(await this.ways.table(problem.id, problem.points));
      if (problem !== this.asked.problem) return;
      this.table = table;
      this.place = begun(table);
      this.show();
    } catch (error) {
      this.update?.replaceChildren(element("p", "quiet", error instanceof Error ? error.message : ""));
    }
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

  /** @type {() => { weights: Float64Array | null, probabilities: number[] | null, said: string }} */
  reckoned() {
    const trees = this.trees(),
      nothing = { weights: null, probabilities: null, said: "" };
    if (!this.table || trees.some((tree) => tree instanceof RuleError)) return nothing;
    try {
      const weights = this.table.weights(/** @type {Node[]} */ (trees)),
        probabilities = this.table.here(weights, optionsAt(this.table, this.place));
      return { weights, probabilities, said: this.broken(this.table, weights) };
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      return { ...nothing, said: error.message };
    }
  }

  /** @type {(table: Table, weights: Float64Array) => string} what is wrong with weights, here or in another update */
  broken(table, weights) {
    try {
      table.normalised(weights);
      return "";
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      const label = this.labelled(this.problem.lines[error.line].label),
        values = Object.entries(error.knows)
          .filter(([, value]) => typeof value === "number")
          .map(([name, value]) => `${this.symbol(name)} = ${figure(Number(value))}`);
      return `The ${label} ${error.message}${values.length ? ` where ${values.join(", ")}` : " in some case"}.`;
    }
  }

  /** @type {(name: string) => string} */
  symbol(name) {
    const all = this.problem.lines.flatMap(({ names }) => names);
    return all.find((one) => one.name === name)?.symbol ?? name;
  }

  show() {
    const found = this.reckoned();
    this.sayErrors(found.said);
    this.drawUpdate(found);
    this.drawNames();
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
    const { table } = this;
    if (!table || this.asked.given) return;
    const options = optionsAt(table, this.place),
      shown = options.includes(this.option)
        ? this.option
        : options.find((option) => table.told.line[option] === this.line),
      known = shown === undefined ? {} : table.known(shown);
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

  /** @type {(found: ReturnType<Desk["reckoned"]>) => void} */
  drawUpdate({ weights, probabilities }) {
    const { table, place } = this;
    if (!table) return;
    const options = optionsAt(table, place),
      [site, state] = table.where(place.site * table.size + place.state),
      reached = options.map((option) => table.outcomes[table.told.target[option]]),
      head = element("p", "rule-state");
    head.append(
      table.chain ? `After ${place.t} updates: ` : "This case: ",
      drawnState(state, changing(state, site, reached)),
    );
    const plain = table.told.form === "value";
    const rows = options.map((option, i) => {
      const line = table.told.line[option],
        row = button("", () => {
          this.line = Math.max(0, line);
          this.option = option;
          this.show();
        });
      row.setAttribute("aria-pressed", String(option === this.option));
      const words = element("span", "words", line < 0 ? "in any case" : this.problem.lines[line].label);
      if (table.outcomes.length > 1) words.prepend(drawnState(reached[i]), " ");
      if (table.told.share.length && line >= 0) words.append(` · proposed ${figure(table.told.share[option])}`);
      if (weights && line >= 0) words.append(` · ${plain ? "" : "gives "}${figure(weights[option])}`);
      row.append(words);
      if (!plain) {
        row.append(bar(probabilities?.[i] ?? 0, "given"));
        row.append(element("b", "", probabilities ? probabilities[i].toFixed(3) : "–"));
      }
      return row;
    });
    const had = this.update?.contains(document.activeElement) && document.activeElement?.className,
      step = button(table.chain ? "Step" : "Next case", () => this.step(), "rule-step"),
      tools = element("div", "rule-tools");
    tools.append(step);
    if (table.chain) tools.append(button(this.playing ? "Pause" : "Play", () => this.play(), "rule-play"));
    const left = 1 - (probabilities ?? []).reduce((sum, one) => sum + one, 0),
      stays = element("p", "quiet", `Stays with probability ${left.toFixed(3)}.`);
    this.update?.replaceChildren(
      head,
      ...rows,
      ...(table.told.form === "ratio" && probabilities ? [stays] : []),
      tools,
    );
    if (had) /** @type {HTMLElement | null | undefined} */ (this.update?.querySelector(`.${had}`))?.focus();
  }

  step() {
    const { probabilities } = this.reckoned();
    if (!this.table) return;
    if (!probabilities && this.table.chain) {
      clearInterval(this.playing);
      this.playing = undefined;
      if (!this.said?.childElementCount)
        this.said?.replaceChildren(element("p", "", "The chain moves by your rule: write every line first."));
      return;
    }
    this.place = moved(this.table, this.place, probabilities ?? [], this.asked.seed);
    this.option = -1;
    this.show();
  }

  play() {
    if (this.playing) {
      clearInterval(this.playing);
      this.playing = undefined;
    } else {
      this.playing = setInterval(() => (this.root.isConnected ? this.step() : this.close()), PACE);
      this.step();
    }
    this.show();
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
    const texts = [...this.texts],
      verdict = await this.judge();
    if (verdict) this.ways.proved(texts, verdict);
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
      proof?.replaceChildren(drawnVerdict(verdict, problem.noun, problem.form));
      return verdict;
    } catch (error) {
      proof?.replaceChildren(element("p", "", error instanceof Error ? error.message : ""));
      return null;
    }
  }
}

/** @type {(value: Known[string]) => string} */
const valued = (value) => (typeof value === "number" ? figure(value) : `[${value.map(figure).join(", ")}]`);
