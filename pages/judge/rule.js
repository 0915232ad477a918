// A rule that a learner wrote: read and evaluated as samplers/judge/rule.py does, whose grammar this is. Nothing in it is
// ever executed but by the walk over the tree below.

import { lgamma } from "./lgamma.js";

/** @typedef {number | number[]} Value */
/** @typedef {Record<string, Value>} Known what a rule may know of an option, by name */
/** @typedef {{ kind: "number", value: number, at: number }
 *   | { kind: "name", name: string, at: number }
 *   | { kind: "other", said: string, at: number }
 *   | { kind: "sign", sign: string, inside: Node, at: number }
 *   | { kind: "arithmetic", sign: string, left: Node, right: Node, at: number }
 *   | { kind: "comparison", signs: string[], parts: Node[], at: number }
 *   | { kind: "if", test: Node, body: Node, other: Node, at: number }
 *   | { kind: "call", called: Node, parts: Node[], at: number }} Node of a tree, with its place in the text
 */
/** @typedef {{ sign: string, kind: "number" | "name" | "sign" | "text" | "end", at: number, value?: number }} Token */

const MOST_CHARACTERS = 400,
  MOST_NODES = 60,
  DEEPEST = 200; // brackets within one another
/** @type {Record<string, string>} */
const ALIKE = { "·": "*", "×": "*", "⋅": "*", "÷": "/", "−": "-", "–": "-", "\u00a0": " ", "\u202f": " " };
/** @type {Record<string, string>} */
export const LETTERS = {
  α: "alpha",
  β: "beta",
  γ: "gamma",
  θ: "theta",
  κ: "kappa",
  λ: "lam",
  μ: "mu",
  π: "pi",
};
/** @type {Record<string, (a: number, b: number) => number>} */
const ARITHMETIC = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "**": (a, b) => (a === 1 || (a === -1 && Math.abs(b) === Infinity) ? 1 : a ** b),
};
/** @type {Record<string, (a: number, b: number) => number>} */
const COMPARISONS = {
  "<": (a, b) => +(a < b),
  "<=": (a, b) => +(a <= b),
  ">": (a, b) => +(a > b),
  ">=": (a, b) => +(a >= b),
  "==": (a, b) => +(a === b),
  "!=": (a, b) => +(a !== b),
};
/** @type {Record<string, (a: number) => number>} */
const FUNCTIONS = { exp: Math.exp, log: Math.log, sqrt: Math.sqrt, lgamma };
/** @type {Record<string, [(a: number, b: number) => number, number]>} */
const FOLDS = {
  sum: [(a, b) => a + b, 0],
  min: [(a, b) => Math.min(a, b), Infinity],
  max: [(a, b) => Math.max(a, b), -Infinity],
};
const KNOWN = [...Object.keys(FUNCTIONS), ...Object.keys(FOLDS)].join(", ");
const WORDS = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global if " +
    "import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);
const NOT_USED = "This part of Python's syntax is not used in rules.";
const UNREADABLE = "This cannot be read as a formula. Multiply with *, and raise to a power with **.";

/** @type {(table: object, name: string) => boolean} */
const has = (table, name) => Object.hasOwn(table, name);
/** @type {(name: string) => string} */
const plainName = (name) => (has(LETTERS, name) ? LETTERS[name] : name);

export class RuleError extends Error {
  /** @param {string} said @param {number} at the place in the text, from 0 */
  constructor(said, at = 0) {
    super(said);
    this.at = at;
  }
}

/** @type {(text: string, names: string[]) => Node} or throws a RuleError that says why not */
export function read(text, names) {
  if ([...text].length > MOST_CHARACTERS)
    throw new RuleError(`A rule has at most ${MOST_CHARACTERS} characters; this one has ${[...text].length}.`);
  const plain = text.replace(/[·×⋅÷−–\u00a0\u202f]/g, (sign) => ALIKE[sign]);
  if (!plain.trim()) throw new RuleError("Write the rule first.");
  if (plain.includes("#"))
    throw new RuleError("A rule has no comments: leave out the # and what follows it.", plain.indexOf("#"));
  const tree = new Reader(plain).all();
  if (count(tree) > 2 * MOST_NODES)
    throw new RuleError("This is longer than any rule that is asked for here. Make it simpler.");
  check(tree, new Set(names));
  return tree;
}

/** @type {(text: string) => string} */
function whyNot(text) {
  if (text.replace(/==|<=|>=|!=/g, "").includes("=")) return "Write only what is on the right of the equals sign.";
  if (text.split("(").length !== text.split(")").length)
    return "A bracket is missing: there are as many “(” as “)” in a formula.";
  return UNREADABLE;
}

// ---- from text to a tree ---------------------------------------------------------------------------------------------

const BLANK = /(?:[ \t\f]|\\\r?\n)+/y,
  LINE = /[\r\n]+/y,
  NUMBER =
    /(?:0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:(?:\d(?:_?\d)*)?\.\d(?:_?\d)*|\d(?:_?\d)*\.?)(?:[eE][+-]?\d(?:_?\d)*)?)/y,
  IMAGINARY = /[jJ]/y,
  TEXT = /(?:[bBrRuU]{0,2})(?:'[^'\\\n]*'|"[^"\\\n]*")/y,
  NAME = /[\p{XIDS}_][\p{XIDC}]*/uy,
  SIGN = /\*\*|\/\/|<<|>>|<=|>=|==|!=|[-+*/%@&|^~<>()[\]{},:.;=]/y,
  AFTER_NUMBER = /^(?:and|else|for|if|in|is|not|or)/;

class Reader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.place = text.length - text.trimStart().length;
    this.end = text.trimEnd().length;
    this.depth = 0;
    this.next = this.token();
  }

  /** @type {(at?: number) => never} */
  fail(at = this.next.at) {
    throw new RuleError(whyNot(this.text), at);
  }

  /** @type {(looks: RegExp) => string} */
  taken(looks) {
    looks.lastIndex = this.place;
    const found = looks.exec(this.text)?.[0] ?? "";
    this.place += found.length;
    return found;
  }

  /** @type {() => Token} */
  token() {
    while (this.taken(BLANK) || (this.depth > 0 && this.taken(LINE)));
    const at = this.place;
    if (at >= this.end) return { sign: "", kind: "end", at };
    const number = this.taken(NUMBER);
    if (number) return this.number(number, at);
    if (this.taken(TEXT)) return { sign: "", kind: "text", at };
    const name = this.taken(NAME).normalize("NFKC");
    if (name) return { sign: name, kind: "name", at };
    const sign = this.taken(SIGN);
    if (!sign) this.fail(at);
    return { sign, kind: "sign", at };
  }

  /** @type {(written: string, at: number) => Token} */
  number(written, at) {
    const digits = written.replaceAll("_", ""),
      rest = this.text.slice(this.place),
      whole = /^\d+$/.test(digits);
    if (this.taken(IMAGINARY)) return { sign: written, kind: "text", at };
    if ((whole && /^0+[1-9]/.test(digits)) || (/^[\p{XIDC}]/u.test(rest) && !AFTER_NUMBER.test(rest))) this.fail(at);
    return { sign: written, kind: "number", at, value: /^0[xob]/i.test(digits) ? Number(BigInt(digits)) : +digits };
  }

  /** @type {(...signs: string[]) => string} the next sign, if it is one of these, which is then behind */
  if(...signs) {
    const { kind, sign } = this.next;
    if ((kind !== "sign" && kind !== "name") || !signs.includes(sign)) return "";
    if (sign === "(") this.depth++;
    if (sign === ")") this.depth--;
    if (this.depth > DEEPEST) this.fail();
    this.next = this.token();
    return sign;
  }

  /** @type {() => Node} */
  all() {
    const tree = this.expression();
    if (this.next.kind !== "end") this.fail();
    return tree;
  }

  /** @type {() => Node} */
  expression() {
    const { at } = this.next,
      body = this.comparison();
    if (!this.if("if")) return body;
    const test = this.comparison();
    if (!this.if("else")) this.fail();
    return { kind: "if", test, body, other: this.expression(), at };
  }

  /** @type {() => Node} */
  comparison() {
    const { at } = this.next,
      parts = [this.bits()],
      signs = [];
    for (let sign; (sign = this.if(...Object.keys(COMPARISONS)));) {
      signs.push(sign);
      parts.push(this.bits());
    }
    return signs.length ? { kind: "comparison", signs, parts, at } : parts[0];
  }

  /** @type {() => Node} */
  bits() {
    return this.chain(["^"], () => this.sums());
  }

  /** @type {() => Node} */
  sums() {
    return this.chain(["+", "-"], () => this.terms());
  }

  /** @type {() => Node} */
  terms() {
    return this.chain(["*", "/"], () => this.signed());
  }

  /** @type {(signs: string[], part: () => Node) => Node} */
  chain(signs, part) {
    const { at } = this.next;
    let left = part();
    for (let sign; (sign = this.if(...signs));) left = { kind: "arithmetic", sign, left, right: part(), at };
    return left;
  }

  /** @type {() => Node} */
  signed() {
    const { at } = this.next,
      sign = this.if("+", "-");
    return sign ? { kind: "sign", sign, inside: this.signed(), at } : this.power();
  }

  /** @type {() => Node} */
  power() {
    const { at } = this.next,
      left = this.called();
    return this.if("**") ? { kind: "arithmetic", sign: "**", left, right: this.signed(), at } : left;
  }

  /** @type {() => Node} */
  called() {
    const { at } = this.next;
    let found = this.atom();
    while (this.if("(")) {
      const parts = [];
      while (!this.if(")")) {
        parts.push(this.part());
        if (!this.if(",")) {
          if (!this.if(")")) this.fail();
          break;
        }
      }
      found = { kind: "call", called: found, parts, at };
    }
    if (this.next.kind === "sign" && [".", "["].includes(this.next.sign)) throw new RuleError(NOT_USED, at);
    return found;
  }

  /** @type {() => Node} of what a function takes */
  part() {
    const { at } = this.next;
    if (this.if("*", "**")) throw new RuleError("A list goes into brackets as it is, without *.", at);
    const found = this.expression();
    if (this.next.sign === "for" || this.next.sign === "=") throw new RuleError(NOT_USED, at);
    return found;
  }

  /** @type {() => Node} */
  atom() {
    const { kind, sign, value, at } = this.next;
    if (this.if("(")) {
      const inside = this.expression();
      if (!this.if(")")) this.fail();
      return inside;
    }
    if (kind === "text" || (kind === "name" && ["True", "False", "None"].includes(sign))) {
      this.next = this.token();
      return { kind: "other", said: "Only numbers and the names that are listed can be used.", at };
    }
    if (kind === "sign" && ["[", "{", "~"].includes(sign)) throw new RuleError(NOT_USED, at);
    if (kind === "name" && ["not", "lambda", "await", "yield"].includes(sign)) throw new RuleError(NOT_USED, at);
    if ((kind !== "number" && kind !== "name") || (kind === "name" && WORDS.has(sign))) this.fail();
    this.next = this.token();
    return kind === "number" ? { kind, value: /** @type {number} */ (value), at } : { kind: "name", name: sign, at };
  }
}

/** @type {(node: Node) => Node[]} */
function inside(node) {
  if (node.kind === "sign") return [node.inside];
  if (node.kind === "arithmetic") return [node.left, node.right];
  if (node.kind === "if") return [node.test, node.body, node.other];
  if (node.kind === "call") return [node.called, ...node.parts];
  return node.kind === "comparison" ? node.parts : [];
}

/** @type {(node: Node) => number} as Python counts expressions and operators */
const count = (node) => inside(node).reduce((sum, one) => sum + count(one), node.kind === "arithmetic" ? 2 : 1);

/** @type {(node: Node, names: Set<string>) => void} */
function check(node, names) {
  const fail = (/** @type {string} */ said) => {
    throw new RuleError(said, node.at);
  };
  if (node.kind === "name") {
    if (names.has(plainName(node.name))) return;
    if (has(FUNCTIONS, node.name) || has(FOLDS, node.name)) fail(`“${node.name}” needs brackets: ${node.name}(…).`);
    fail(`There is no “${node.name.slice(0, 40)}” in this update. Use the names that are listed.`);
  } else if (node.kind === "other") fail(node.said);
  else if (node.kind === "arithmetic" && node.sign === "^") fail("Raise to a power with **, as in n**2.");
  else if (node.kind === "comparison") fail("A comparison belongs after “if”, as in: a if n > 0 else b.");
  else if (node.kind === "if") {
    if (node.test.kind !== "comparison" || node.test.signs.length !== 1)
      fail("After “if” comes one comparison, as in: a if n > 0 else b.");
    for (const part of [...inside(node.test), node.body, node.other]) check(part, names);
  } else if (node.kind === "call") {
    const { called, parts } = node;
    if (called.kind === "number" || called.kind === "arithmetic") fail("Multiply with *: write 2 * (…), and not 2(…).");
    if (called.kind !== "name") fail(NOT_USED);
    const { name } = /** @type {{ name: string }} */ (called),
      one = has(FUNCTIONS, name);
    if (!one && !has(FOLDS, name)) fail(`There is no function “${name.slice(0, 40)}” here; there are ${KNOWN}.`);
    if (!parts.length || (one && parts.length > 1))
      fail(`“${name}” takes ${one ? "one number" : "a list, or numbers"}.`);
    for (const part of parts) check(part, names);
  } else for (const part of inside(node)) check(part, names);
}

// ---- values ----------------------------------------------------------------------------------------------------------

/** @type {(tree: Node, known: Known) => number} or throws a RuleError if the value is a list */
export function evaluate(tree, known) {
  const found = valueOf(tree, known);
  if (typeof found !== "number")
    throw new RuleError("The weight must be a number, and this is a list. Take the sum, say: sum(…).");
  return found;
}

/** @type {(node: Node, known: Known) => Value} */
function valueOf(node, known) {
  if (node.kind === "number") return node.value;
  if (node.kind === "name") return known[plainName(node.name)];
  if (node.kind === "sign") {
    const found = valueOf(node.inside, known);
    return node.sign === "-" ? entrywise((a) => -a, found) : found;
  }
  if (node.kind === "arithmetic")
    return entrywise(ARITHMETIC[node.sign], valueOf(node.left, known), valueOf(node.right, known));
  if (node.kind === "comparison")
    return entrywise(COMPARISONS[node.signs[0]], valueOf(node.parts[0], known), valueOf(node.parts[1], known));
  if (node.kind === "if")
    return entrywise(
      (is, body, other) => (is ? body : other),
      ...[node.test, node.body, node.other].map((part) => valueOf(part, known)),
    );
  const { called, parts } = /** @type {{ called: { name: string }, parts: Node[] }} */ (/** @type {unknown} */ (node)),
    values = parts.map((part) => valueOf(part, known));
  if (has(FUNCTIONS, called.name)) return entrywise(FUNCTIONS[called.name], values[0]);
  const [fold, nothing] = FOLDS[called.name];
  return values.reduce(
    (/** @type {number} */ sum, one) =>
      fold(sum, typeof one === "number" ? one : one.reduce((a, b) => fold(a, b), nothing)),
    nothing,
  );
}

/** @type {(does: (...numbers: number[]) => number, ...parts: Value[]) => Value} */
function entrywise(does, ...parts) {
  const lists = parts.filter((part) => typeof part !== "number"),
    [first] = lists;
  if (!first) return does(.../** @type {number[]} */ (parts));
  if (lists.some(({ length }) => length !== first.length))
    throw new RuleError("Two lists of different lengths cannot be combined entry by entry.");
  return first.map((_, i) => does(...parts.map((part) => (typeof part === "number" ? part : part[i]))));
}
