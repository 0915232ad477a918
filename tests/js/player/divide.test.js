import assert from "node:assert/strict";
import test from "node:test";

import { Divide } from "../../../pages/player/divide.js";
import { page } from "../page.js";

/** As much of an element as the bar needs. */
const made = () => ({
  style: {
    setProperty(name, value) {
      this[name] = value;
    },
  },
  classList: {
    on: {},
    toggle(name, on) {
      this.on[name] = on;
    },
    contains(name) {
      return Boolean(this.on[name]);
    },
  },
  children: [],
  append(...parts) {
    this.children.push(...parts);
  },
  replaceChildren(...parts) {
    this.children = parts;
  },
});

const ASKED = { chart: "", axis: "x", limits: [0, 1], step: 0.01, guess: null, outcome: null, reveal: 3, hand: true };

function bar() {
  page().createElement = made;
  const chosen = [];
  const divide = new Divide(made(), (value) => chosen.push(value));
  return { divide, chosen, said: () => divide.marks.children.map(({ textContent }) => textContent) };
}

test("the bar has no border until it is dragged or pressed, and then the guess", () => {
  const { divide, chosen, said } = bar();
  divide.show(ASKED, null);
  assert.deepEqual([divide.box.hidden, divide.field.disabled, said()], [false, false, []]);
  divide.field.value = "0.5";
  divide.field.onpointerup();
  divide.show({ ...ASKED, guess: "0.5" }, null);
  divide.field.onpointerup(); // it has been dragged: nothing more is said
  assert.deepEqual([chosen, said()], [["0.5"], ["your guess 0.50"]]);
});

test("guess and answer lie side by side once the picture has come there", () => {
  const { divide, said } = bar();
  divide.show({ ...ASKED, hand: false, guess: "0.3", outcome: "0.25" }, null);
  assert.deepEqual([divide.field.disabled, said()], [true, ["your guess 0.30"]]);
  divide.show({ ...ASKED, hand: false, guess: "0.3", outcome: "0.25" }, "0.25", { 0.1: 2 });
  assert.deepEqual([said(), divide.box.style["--part"]], [["", "your guess 0.30", "answer 0.25"], "0.25"]);
});

test("there is no bar where nothing is asked, or nothing can be answered", () => {
  const { divide } = bar();
  divide.show(null, null);
  assert.equal(divide.box.hidden, true);
  divide.show({ ...ASKED, hand: false }, null);
  assert.equal(divide.box.hidden, true);
});
