// The update on the stage, at the desk: its options, each with what a line of the rule gives for it. The stage draws
// the probabilities that these make, and plays on by them.

import { element } from "../player/canvas.js";
import { figure } from "./drawing.js";
import { RuleError, evaluate } from "./rule.js";

/** @import { RuleOption } from "../messages.js" */
/** @import { Desk } from "./desk.js" */
/** @import { Known } from "./rule.js" */

export class Staged {
  /** @param {Desk} desk @param {readonly RuleOption[]} options none while the stage is at work */
  constructor(desk, options) {
    this.desk = desk;
    this.options = options;
  }

  close() {}

  fault() {
    return "";
  }

  /** @type {() => Known} what the line that is written knows of the option that was pressed, or of the first */
  known() {
    const { line, option } = this.desk,
      own = this.options.filter((one) => one.line === line);
    return /** @type {Known} */ ((own.find((one) => one === this.options[option]) ?? own[0])?.known ?? {});
  }

  draw() {
    const rows = this.options.map((option, i) => {
      const row = this.desk.optionButton(i, option.line);
      row.append(element("span", "words", option.name), element("b", "", this.given(option)));
      return row;
    });
    const head = element("p", "rule-state", "The update on the stage, with your weights:");
    this.desk.update?.replaceChildren(...(rows.length ? [head] : []), ...rows);
  }

  /** @type {(option: RuleOption) => string} a dash if its line is none yet, or gives a list */
  given({ line, known }) {
    const tree = this.desk.trees()[line];
    if (tree instanceof RuleError) return "–";
    try {
      return figure(evaluate(tree, /** @type {Known} */ (known)));
    } catch (error) {
      if (error instanceof RuleError) return "–";
      throw error;
    }
  }
}
