// The tables of a problem, as samplers/judge/table.py has them: every option of every update in every state, with what a
// rule gives for each.

import { RuleError, evaluate } from "./rule.js";

/** @import { RuleTable } from "../messages.js" */
/** @import { Known, Node, Value } from "./rule.js" */
/** @typedef {{ start: Int32Array, to: Int32Array, p: Float64Array }} Rows of probabilities: the entries of update u are those from start[u] to start[u + 1], by their places */

const ROUNDING = 1e-12;

export class Broken extends RuleError {
  /** @param {string} said @param {Table} table @param {number} option */
  constructor(said, table, option) {
    super(said);
    this.line = table.told.line[option];
    this.knows = table.known(option);
    const [site, state] = table.where(table.update[option]);
    this.site = site;
    this.state = state;
  }
}

export class Table {
  /** @param {RuleTable} told */
  constructor(told) {
    this.told = told;
    this.size = told.states.length;
    this.chain = told.posterior !== null;
    this.outcomes = told.outcomes.length ? told.outcomes : told.states;
    this.update = new Int32Array(told.line.length);
    this.start = new Int32Array(told.counts.length + 1);
    told.counts.forEach((many, update) => {
      this.start[update + 1] = this.start[update] + many;
      this.update.fill(update, this.start[update], this.start[update + 1]);
    });
    /** @type {Known[][]} by line */
    this.rows = told.knows.map(({ names, rows }) =>
      rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]]))),
    );
  }

  get updates() {
    return this.told.counts.length;
  }

  /** @type {(option: number) => Known} what a rule may know of an option */
  known(option) {
    return this.rows[this.told.line[option]]?.[this.told.row[option]] ?? {};
  }

  /** @type {(update: number) => Known} what all options of an update know alike */
  shared(update) {
    const each = Array.from({ length: this.start[update + 1] - this.start[update] }, (_, i) =>
        this.known(this.start[update] + i),
      ).filter((known) => Object.keys(known).length),
      same = (/** @type {string} */ name, /** @type {Known} */ one) =>
        JSON.stringify(one[name]) === JSON.stringify(each[0][name]);
    return Object.fromEntries(Object.entries(each[0] ?? {}).filter(([name]) => each.every((one) => same(name, one))));
  }

  /** @type {(update: number) => [RuleTable["sites"][number], number[]]} the site and the state of an update */
  where(update) {
    return [this.told.sites[Math.floor(update / this.size)], this.told.states[update % this.size]];
  }

  /** @type {(trees: Node[], instead?: Record<string, number>) => Float64Array} what a rule gives for each option */
  weights(trees, instead = {}) {
    const found = this.rows.map((rows, line) =>
      trees[line] ? rows.map((known) => evaluate(trees[line], replaced(known, instead))) : [],
    );
    return Float64Array.from(this.told.line, (line, i) => (line < 0 ? 1 : found[line][this.told.row[i]]));
  }

  /** @type {(weights: Float64Array) => Float64Array} the probability of each option, or its value; or throws a Broken */
  normalised(weights) {
    const { form, share } = this.told;
    if (form === "logarithms") weights = this.exponentiated(weights);
    this.refuse(weights, Number.isNaN, "is not a number");
    if (form !== "ratio") this.refuse(weights, (weight) => Math.abs(weight) === Infinity, "is infinite");
    if (form !== "value") this.refuse(weights, (weight) => weight < 0, "is negative");
    if (form === "value") return weights;
    if (form === "ratio") return weights.map((weight, i) => (share[i] ?? 1) * Math.min(weight, 1));
    const totals = new Float64Array(this.updates);
    weights.forEach((weight, i) => (totals[this.update[i]] += weight));
    const least = form === "logarithms" ? "−∞" : "0";
    this.refuse(weights, (_, i) => totals[this.update[i]] <= 0, `is ${least}, as that of every option is`);
    return weights.map((weight, i) => weight / totals[this.update[i]]);
  }

  /** @type {(weights: Float64Array, options: number[]) => number[] | null} of the options of one update; null if broken */
  here(weights, options) {
    const { form, share } = this.told,
      own = options.map((option) => weights[option]),
      top = form === "logarithms" ? Math.max(...own) : 0,
      given = form === "logarithms" ? own.map((one) => Math.exp(one - top)) : own;
    if (given.some((one) => Number.isNaN(one) || (one < 0 && form !== "value"))) return null;
    if (form === "value") return given;
    if (form === "ratio") return given.map((one, i) => (share[options[i]] ?? 1) * Math.min(one, 1));
    const total = given.reduce((sum, one) => sum + one, 0);
    return total > 0 && Number.isFinite(total) ? given.map((one) => one / total) : null;
  }

  /** @type {(logarithms: Float64Array) => Float64Array} relative to the largest of each update */
  exponentiated(logarithms) {
    const tops = new Float64Array(this.updates).fill(-Infinity);
    logarithms.forEach((one, i) => {
      const update = this.update[i];
      tops[update] = Math.max(tops[update], Number.isNaN(one) ? Infinity : one);
    });
    return logarithms.map((one, i) => {
      const top = tops[this.update[i]];
      return Math.exp(one - (Number.isFinite(top) ? top : 0));
    });
  }

  /** @type {(weights: Float64Array, is: (weight: number, option: number) => boolean, said: string) => void} */
  refuse(weights, is, said) {
    const option = weights.findIndex(is);
    if (option >= 0) throw new Broken(said, this, option);
  }

  /** @type {(trees: Node[], instead?: Record<string, number>) => Rows} */
  rowsOf(trees, instead) {
    const probabilities = this.normalised(this.weights(trees, instead));
    return packed(this.updates, (update) => {
      /** @type {[number, number][]} */
      const entries = [];
      let left = 1;
      for (let i = this.start[update]; i < this.start[update + 1]; i++) {
        entries.push([this.told.target[i], probabilities[i]]);
        left -= probabilities[i];
      }
      if (this.chain && left > ROUNDING) entries.push([update % this.size, left]); // what is left over stays
      return entries;
    });
  }
}

/** @type {(known: Known, instead: Record<string, number>) => Known} */
function replaced(known, instead) {
  const there = Object.entries(instead).filter(([name]) => name in known);
  if (!there.length) return known;
  const as = (/** @type {Value} */ value, /** @type {number} */ number) =>
    typeof value === "number" ? number : value.map(() => number);
  return { ...known, ...Object.fromEntries(there.map(([name, number]) => [name, as(known[name], number)])) };
}

/** @type {(updates: number, entriesOf: (update: number) => [number, number][]) => Rows} entries at one place are added */
export function packed(updates, entriesOf) {
  const start = new Int32Array(updates + 1);
  /** @type {number[]} */
  const to = [],
    /** @type {number[]} */
    p = [];
  for (let update = 0; update < updates; update++) {
    for (const [place, probability] of entriesOf(update).sort((a, b) => a[0] - b[0]))
      if (to.length > start[update] && to.at(-1) === place) p[p.length - 1] += probability;
      else {
        to.push(place);
        p.push(probability);
      }
    start[update + 1] = to.length;
  }
  return { start, to: Int32Array.from(to), p: Float64Array.from(p) };
}
