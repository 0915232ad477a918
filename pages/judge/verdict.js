// The verdict on a rule, as samplers/judge/verdict.py finds it, from a problem's tables: for courses without a server.

import { general, grouped } from "./figures.js";
import { CASE, withMany } from "./kinds.js";
import { after, closedClass, longRun, period } from "./long_run.js";
import { sweepsToSeparate } from "./noise.js";
import { read } from "./rule.js";
import { Broken, Table, packed } from "./table.js";

/** @import { RuleCounterexample, RuleForms, RuleMatrix, RulePack, RuleVerdict } from "../messages.js" */
/** @import { Node } from "./rule.js" */
/** @import { Rows } from "./table.js" */

const SAME = 1e-9,
  IN_THE_LIMIT = 1e-6;

/** @type {Record<string, string>} before the label of a line, by its form */
const WEIGHT_OF = { weights: "weight of ", logarithms: "log weight of " };

/** @type {<T>(make: () => T, otherwise: T) => T} unless the rule has no probabilities */
function unlessBroken(make, otherwise) {
  try {
    return make();
  } catch (error) {
    if (error instanceof Broken) return otherwise;
    throw error;
  }
}

/** @type {(numbers: Iterable<number>) => number} */
function most(numbers) {
  let top = 0;
  for (const one of numbers) top = Math.max(top, one);
  return top;
}

/** @type {(rows: Rows, update: number) => Map<number, number>} */
const entries = ({ start, to, p }, update) => {
  const found = new Map();
  for (let i = start[update]; i < start[update + 1]; i++) found.set(to[i], p[i]);
  return found;
};

/** @type {(given: Rows, right: Rows) => [given: number, right: number][][]} by update, where either has an entry */
const pairs = (given, right) =>
  Array.from({ length: given.start.length - 1 }, (_, update) => {
    const one = entries(given, update),
      other = entries(right, update);
    return [...new Set([...one.keys(), ...other.keys()])].map((to) => [one.get(to) ?? 0, other.get(to) ?? 0]);
  });

/** @type {(given: Rows, right: Rows) => number[]} the largest difference in each update, relative to values above 1 */
const off = (given, right) =>
  pairs(given, right).map(
    (row) => most(row.map(([a, b]) => Math.abs(a - b))) / Math.max(1, most(row.map(([, b]) => Math.abs(b)))),
  );

/** @type {(given: Float64Array, right: Float64Array) => boolean} */
const close = (given, right) =>
  given.every((one, i) => {
    const other = right[i];
    return (
      Object.is(one, other) ||
      one === other ||
      (Number.isFinite(other) && Math.abs(one - other) <= SAME * Math.abs(other))
    );
  });

/** @type {(named: string | null) => string} */
const thisIs = (named) => (named ? `This is: ${named}. ` : "");

/** @type {(kind: string, text: string, more?: Partial<RuleVerdict>) => RuleVerdict} */
const verdict = (kind, text, more = {}) => ({
  kind,
  text,
  distance: null,
  named: null,
  counterexample: null,
  sweeps: null,
  ...more,
});

export class Judge {
  /** @param {RulePack} told */
  constructor(told) {
    this.told = told;
    this.tables = told.tables.map((table) => new Table(table));
    this.rightTrees = this.read(told.right);
    this.right = this.tables.map((table) => table.rowsOf(this.rightTrees));
    this.errors = told.wrong.map((forms) => ({ name: forms.name, rows: this.rowsOf(forms) }));
  }

  /** @type {(texts: readonly string[]) => Node[]} or throws a RuleError at the first line that cannot be read */
  read(texts) {
    return Object.values(this.told.lines).map((names, i) => read(texts[i], [...names]));
  }

  /** @type {(state: readonly number[]) => string} a state as the screen writes it: a matrix row by row */
  said(state) {
    const { first, columns } = this.told,
      wide = columns ?? state.length,
      labels = state.map((label) => label + first);
    return Array.from({ length: state.length / wide }, (_, i) => labels.slice(i * wide, (i + 1) * wide).join(" ")).join(
      " | ",
    );
  }

  /** @type {(error: Broken) => string} where there are no probabilities: by what a rule knows there, and of an update by its state as well */
  in(error) {
    const known = Object.entries(error.knows),
      numbers = known.flatMap(([name, value]) => (typeof value === "number" ? [`${name} = ${general(value, 4)}`] : [])),
      lists = known.flatMap(([name, value]) =>
        typeof value === "number" ? [] : [`${name} = [${value.map((one) => general(one, 4)).join(", ")}]`],
      );
    if (error.site === CASE) return `where ${[...numbers, ...lists].join(", ")}`; // its state has no meaning for the learner
    return `${numbers.length ? `where ${numbers.join(", ")}: ` : "in "}${this.where(error)}`;
  }

  /** @type {(error: Broken) => string} an update, whose place is counted from 1, or a customer who is new */
  where({ site, state }) {
    if (typeof site === "string") return `${site} ${this.said(state)}`;
    const places = [site].flat().map((number) => Number(number) + 1);
    return `update ${places.join(" ")} of ${this.said(state)}`;
  }

  /** @type {(points: number) => Table} */
  at(points) {
    return this.tables[points - this.told.least];
  }

  /** @type {(points: number) => Rows} */
  rightAt(points) {
    return this.right[points - this.told.least];
  }

  /** @type {(forms: RuleForms) => Rows[]} of a known error, in every form that has probabilities */
  rowsOf({ rules, matrices }) {
    const table = this.at(this.told.named_on),
      ofRules = rules.map((form) => unlessBroken(() => table.rowsOf(this.read(form)), null));
    return [...ofRules.filter((rows) => rows !== null), ...matrices.map((one) => rowsOfMatrix(table.updates, one))];
  }

  /** @type {(texts: readonly string[]) => RuleVerdict} or throws a RuleError */
  judge(texts) {
    const trees = this.read(texts);
    try {
      const found = this.found(trees);
      if (found.kind === "right") return { ...found, text: found.text + this.form(trees) };
      if (found.kind === "invariant" && this.acceptsNothing(trees))
        return verdict(
          "unknown",
          "Your rule accepts no proposal. That leaves the posterior unchanged, but the chain as well.",
          { counterexample: this.smallest(trees) },
        );
      if (found.kind === "unknown") return { ...found, text: found.text + this.place(texts) + this.limits(trees) };
      return found;
    } catch (error) {
      if (error instanceof Broken) return this.broken(trees, error);
      throw error;
    }
  }

  /** @type {(trees: Node[]) => RuleVerdict} */
  found(trees) {
    const { points, same } = this.told,
      table = this.at(points),
      rows = table.rowsOf(trees),
      differs = off(rows, this.rightAt(points));
    if (!table.chain) return this.onCases(trees, table, rows, differs);
    const { size } = table,
      { sites, states } = table.told,
      posterior = /** @type {number[]} */ (table.told.posterior);
    if (most(differs) < same) {
      const what = table.told.form === "ratio" ? "acceptance" : "conditional",
        text = `Right: the ${what} in each of ${grouped(size)} × ${sites.length} updates.`;
      return verdict("right", `${text} Your chain's long run is the posterior.`, { distance: 0 });
    }
    const chain = { rows, size, sites: sites.length },
      counterexample = this.smallest(trees),
      named = this.named(trees),
      closed = closedClass(chain);
    if (closed.includes(0)) {
      const out = size - closed.reduce((sum, is) => sum + is, 0);
      const text = `In the end your sweep cannot return to ${grouped(out)} of ${grouped(size)} states, such as ${this.said(states[closed.indexOf(0)])}.`;
      return verdict("reducible", thisIs(named) + text, { named, counterexample });
    }
    if (period(chain) > 1) {
      const text = "Your sweep goes round in a circle: the chain never settles.";
      return verdict("periodic", thisIs(named) + text, { named, counterexample });
    }
    if (most(after(chain, Float64Array.from(posterior)).map((one, i) => Math.abs(one - posterior[i]))) < same) {
      const text = `these are not the usual probabilities, but a sweep leaves the posterior of all ${grouped(size)} states as it is.`;
      return verdict("invariant", `Right: ${text}`, { distance: 0 });
    }
    const distance = longRun(chain).reduce((sum, one, i) => sum + Math.abs(one - posterior[i]), 0) / 2,
      sweeps = sweepsToSeparate(distance, posterior),
      when = sweeps ? `a histogram would show it after about ${grouped(sweeps)} sweeps` : "no histogram would show it",
      text = `In the long run the chain is ${distance.toFixed(3)} from the posterior; ${when}.`,
      more = { distance, named, counterexample, sweeps };
    return verdict(named ? "known" : "unknown", (thisIs(named) || "This is not right. ") + text, more);
  }

  /** @type {(trees: Node[], table: Table, rows: Rows, differs: number[]) => RuleVerdict} */
  onCases(trees, table, rows, differs) {
    const { points, same } = this.told,
      cases = `${grouped(differs.length)} cases`,
      right = this.rightAt(points);
    if (most(differs) < same)
      return verdict("right", `Right in each of ${cases}.${nearness(table, rows)}`, { distance: 0 });
    if (table.told.exact && fromExact(table, rows) <= fromExact(table, right)) {
      const text = `Right: not the usual formula, but no worse.${nearness(table, rows)}`;
      return verdict("right", text, { distance: 0 });
    }
    const many = grouped(differs.filter((one) => one >= same).length),
      apart = pairs(rows, right).map((row) => row.map(([a, b]) => Math.abs(a - b)));
    const smallest = this.smallest(trees), // which may be none of these cases, and worse
      beside = smallest ? smallest.right.map((one, i) => Math.abs(one - smallest.given[i])) : [0];
    let distance, far;
    if (table.told.form === "value") {
      distance = most([...apart.map(most), most(beside)]);
      far = `In ${many} of ${cases} it is not right, at worst by ${general(distance, 3)}.`;
    } else {
      distance = most([...apart, beside].map((row) => row.reduce((sum, one) => sum + one, 0))) / 2;
      far = `In ${many} of ${cases} the probabilities are not right: at worst ${distance.toFixed(3)} of all probability is at the wrong place.`;
    }
    const named = this.named(trees),
      more = { distance, named, counterexample: smallest };
    return verdict(named ? "known" : "unknown", (thisIs(named) || "This is not right. ") + far, more);
  }

  /** @type {(trees: Node[]) => string | null} the known error that a rule equals */
  named(trees) {
    const given = this.at(this.told.named_on).rowsOf(trees),
      found = this.errors.find(({ rows }) => rows.some((wrong) => most(off(given, wrong)) < this.told.same));
    return found?.name ?? null;
  }

  /** @type {(trees: Node[]) => RuleCounterexample | null} the first update, with the fewest points, in which it differs most */
  smallest(trees) {
    for (let points = this.told.least; points <= this.told.points; points++) {
      const table = this.at(points),
        given = unlessBroken(() => table.rowsOf(trees), null);
      if (!given) continue;
      const differs = off(given, this.rightAt(points)),
        top = most(differs);
      if (top < this.told.same) continue;
      const update = differs.findIndex((one) => one > top - SAME),
        [site, state] = table.where(update),
        one = entries(given, update),
        other = entries(this.rightAt(points), update),
        places = [...new Set([...one.keys(), ...other.keys()])]
          .filter((to) => one.get(to) || other.get(to))
          .sort((a, b) => a - b);
      return {
        points,
        site,
        state,
        reached: places.map((to) => table.outcomes[to]),
        right: places.map((to) => other.get(to) ?? 0),
        given: places.map((to) => one.get(to) ?? 0),
        shared: table.shared(update),
      };
    }
    return null;
  }

  /** @type {(trees: Node[], error: Broken) => RuleVerdict} on a rule that gives no probabilities somewhere */
  broken(trees, error) {
    const { points, least, noun, same } = this.told,
      table = this.at(points),
      given = table.weights(trees),
      failing = this.told.wrong.find(({ rules }) => rules.some((form) => close(given, table.weights(this.read(form))))),
      named = failing?.name ?? null,
      what = WEIGHT_OF[table.told.form] ?? "",
      label = Object.keys(this.told.lines)[error.line].replace(/^the /, "");
    const text = `The ${what}${label} ${error.message} ${this.in(error)}.`,
      few = unlessBroken(() => most(off(this.at(least).rowsOf(trees), this.rightAt(least))) < same, false);
    return verdict("broken", `${thisIs(named)}${text}${few ? ` It is right ${withMany(noun, least)}.` : ""}`, {
      named,
    });
  }

  // ---- what else there is to say ------------------------------------------------------------------------------------

  /** @type {(trees: Node[]) => string} of a right rule whose weights are others */
  form(trees) {
    const table = this.at(this.told.points),
      { form } = table.told;
    if (form !== "weights" && form !== "logarithms") return "";
    if (close(table.weights(trees), table.weights(this.rightTrees))) return "";
    return form === "logarithms"
      ? " Your logarithms differ from the usual ones by a constant in each update, which changes no probability."
      : " Your weights are a multiple of the usual ones in each update: only their proportions count.";
  }

  /** @type {(trees: Node[]) => boolean} */
  acceptsNothing(trees) {
    const table = this.at(this.told.points);
    return table.told.form === "ratio" && table.weights(trees).every((one, i) => one === 0 || table.told.line[i] < 0);
  }

  /** @type {(texts: readonly string[]) => string} which line of an unknown error is wrong, if one alone is */
  place(texts) {
    const { lines, right, named_on, same } = this.told,
      labels = Object.keys(lines);
    if (labels.length < 2) return "";
    const only = labels.find((_, number) => {
      const mended = this.read(texts.map((text, i) => (i === number ? right[i] : text)));
      return unlessBroken(() => most(off(this.at(named_on).rowsOf(mended), this.rightAt(named_on))) < same, false);
    });
    return only === undefined ? "" : ` Only the line of ${only} is wrong.`;
  }

  /** @type {(trees: Node[]) => string} the limits in which an unknown error still gives the right probabilities */
  limits(trees) {
    const { points, least, named_on, noun, limits } = this.told,
      holds = (/** @type {number} */ many, /** @type {Record<string, number>} */ instead) => {
        const table = this.at(many),
          apart = () => most(off(table.rowsOf(trees, instead), table.rowsOf(this.rightTrees, instead)));
        return unlessBroken(() => apart() < IN_THE_LIMIT, false);
      };
    const held = Array.from({ length: points - least }, (_, i) => least + i).filter((many) => holds(many, {})),
      last = held.at(-1),
      found = limits.filter(({ values }) => holds(named_on, values)).map((limit) => limit.said);
    if (last !== undefined) found.unshift(withMany(noun, last));
    const end = found.pop();
    return end === undefined ? "" : ` It is still right ${found.join(", ")}${found.length ? " and " : ""}${end}.`;
  }
}

/** @type {(updates: number, matrix: RuleMatrix) => Rows} */
function rowsOfMatrix(updates, { update, target, probability }) {
  /** @type {[number, number][][]} */
  const found = Array.from({ length: updates }, () => []);
  update.forEach((one, i) => found[one].push([target[i], probability[i]]));
  return packed(updates, (one) => found[one]);
}

/** @type {(table: Table, rows: Rows) => number} */
function fromExact(table, rows) {
  const exact = /** @type {number[]} */ (table.told.exact);
  return most(exact.map((one, i) => Math.abs((entries(rows, table.update[i]).get(table.told.target[i]) ?? 0) - one)));
}

/** @type {(table: Table, rows: Rows) => string} */
function nearness(table, rows) {
  if (!table.told.exact) return "";
  const far = fromExact(table, rows);
  return ` It is within ${general(far, 2)} of what quadrature gives${far > SAME ? "" : ", to its last digits"}.`;
}
