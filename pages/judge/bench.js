// A bench at the desk, where no stage plays the rule: an update of a few points with her weights, and a chain over all
// their states that moves by her rule.

import { element } from "../player/canvas.js";
import { bar, button, changing, drawnEnd, drawnState, figure, inWords, isCase } from "./drawing.js";
import { RuleError } from "./rule.js";
import { Broken, Table } from "./table.js";
import { begun, moved, optionsAt } from "./walk.js";

/** @import { Desk } from "./desk.js" */
/** @import { Known, Node } from "./rule.js" */
/** @import { Place } from "./walk.js" */

const PACE = 700; // milliseconds of an update while it plays

export class Bench {
  /** @type {Table | undefined} */ table;
  /** @type {Place} */ place = { t: 0, state: 0, site: 0 };
  /** @type {ReturnType<typeof setInterval> | undefined} */ playing;

  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
  }

  close() {
    clearInterval(this.playing);
  }

  async load() {
    const { problem } = this.desk;
    try {
      const table = new Table(await this.desk.ways.table(problem.id, problem.points));
      if (this.desk.shown !== this) return;
      this.table = table;
      this.place = begun(table);
      this.desk.show();
    } catch (error) {
      this.desk.update?.replaceChildren(element("p", "quiet", error instanceof Error ? error.message : ""));
    }
  }

  fault() {
    return this.reckoned().said;
  }

  /** @type {() => Known | null} what the line that is written knows of the option that was pressed, or of the first */
  known() {
    const { table } = this,
      { line, option } = this.desk;
    if (!table) return null;
    const options = optionsAt(table, this.place),
      shown = options.includes(option) ? option : options.find((one) => table.told.line[one] === line);
    return shown === undefined ? {} : table.known(shown);
  }

  /** @type {() => { weights: Float64Array | null, probabilities: number[] | null, said: string }} */
  reckoned() {
    const trees = this.desk.trees(),
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
      const label = this.desk.labelled(this.desk.problem.lines[error.line].label),
        values = Object.entries(error.knows)
          .filter(([, value]) => typeof value === "number")
          .map(([name, value]) => `${this.desk.symbol(name)} = ${figure(Number(value))}`);
      return `The ${label} ${error.message}${values.length ? ` where ${values.join(", ")}` : " in some case"}.`;
    }
  }

  draw() {
    const { weights, probabilities } = this.reckoned();
    const { table, place } = this;
    if (!table) return;
    const options = optionsAt(table, place),
      [site, state] = table.where(place.site * table.size + place.state),
      reached = options.map((option) => table.outcomes[table.told.target[option]]),
      head = element("p", "rule-state");
    const plain = table.told.form === "value";
    head.append(table.chain ? `After ${place.t} updates: ` : "This case: ");
    if (isCase(site, table.told.form)) head.append(inWords(table.shared(place.site * table.size + place.state)));
    else head.append(drawnState(state, this.desk.problem, changing(state, site, reached)));
    const rows = options.map((option, i) => {
      const line = table.told.line[option],
        row = this.desk.optionButton(option, line);
      const { problem } = this.desk,
        words = element("span", "words", line < 0 ? "in any case" : problem.lines[line].label);
      if (table.outcomes.length > 1 && !(plain && problem.lines.length > 1))
        words.prepend(drawnState(reached[i], problem), " ");
      if (table.told.share.length && line >= 0) words.append(` · proposed ${figure(table.told.share[option])}`);
      if (weights && line >= 0) words.append(` · ${plain ? "" : "gives "}${figure(weights[option])}`);
      row.append(words);
      if (!plain) {
        row.append(bar(probabilities?.[i] ?? 0, "given"));
        row.append(element("b", "", probabilities ? probabilities[i].toFixed(3) : "–"));
      }
      return row;
    });
    const had = this.desk.update?.contains(document.activeElement) && document.activeElement?.className,
      step = button(table.chain ? "Step" : "Next case", () => this.step(), "rule-step"),
      tools = element("div", "rule-tools");
    tools.append(step);
    if (table.chain) tools.append(button(this.playing ? "Pause" : "Play", () => this.play(), "rule-play"));
    const left = 1 - (probabilities ?? []).reduce((sum, one) => sum + one, 0),
      stays = element("p", "quiet", `Stays with probability ${left.toFixed(3)}.`);
    this.desk.update?.replaceChildren(
      head,
      ...rows,
      ...(table.told.form === "ratio" && probabilities ? [stays] : []),
      tools,
    );
    if (had) /** @type {HTMLElement | null | undefined} */ (this.desk.update?.querySelector(`.${had}`))?.focus();
  }

  step() {
    const { probabilities } = this.reckoned();
    if (!this.table) return;
    if (!probabilities && this.table.chain) {
      clearInterval(this.playing);
      this.playing = undefined;
      if (!this.desk.said?.childElementCount)
        this.desk.said?.replaceChildren(element("p", "", "The chain moves by your rule: write every line first."));
      return;
    }
    this.place = moved(this.table, this.place, probabilities ?? [], this.desk.asked.seed);
    this.desk.option = -1;
    this.desk.show();
  }

  play() {
    if (this.playing) {
      clearInterval(this.playing);
      this.playing = undefined;
    } else {
      this.playing = setInterval(() => (this.desk.root.isConnected ? this.step() : this.close()), PACE);
      this.step();
    }
    this.desk.show();
  }
}
