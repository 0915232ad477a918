import assert from "node:assert/strict";
import test from "node:test";

import { next, stepped } from "../../../pages/player/stepping.js";

test("arrows go to the next whole number, and no farther than the range", () => {
  const cases = [
    ["ArrowUp", "4", "5"],
    ["ArrowDown", "4", "3"],
    ["ArrowDown", "−5", "−5"],
    ["ArrowUp", "−5", "−4"],
    ["ArrowUp", "1 000", "9"],
    ["ArrowUp", "7,0", "8"],
    ["ArrowUp", "1/2", undefined],
    ["ArrowUp", "", undefined],
    ["PageUp", "4", undefined],
  ];
  for (const [key, text, expected] of cases) assert.equal(next(key, text, -5, 9), expected, `${key} ${text}`);
});

function field(className, value) {
  // a field in a container of this class, and what it has heard
  const heard = [];
  return {
    heard,
    value,
    closest: (selector) => (className.includes(selector.split("=")[1].slice(0, -1)) ? { className } : null),
    dispatchEvent: ({ type }) => heard.push(type),
    addEventListener: (type, hear) => heard.push([type, hear]),
    blur: () => heard.push("blur"),
    focus: () => heard.push("focus"),
  };
}

test("a field is told its number once, when the key is let go", () => {
  globalThis.HTMLInputElement = class {
    get value() {
      return this.text;
    }
    set value(text) {
      Object.defineProperty(this, "value", { value: text, configurable: true });
    }
  };
  const seed = field("st-key-typed-number-whole-0-to-99-crp_seating-seed", "98");
  assert.equal(stepped("ArrowUp", seed), true);
  assert.equal(stepped("ArrowUp", seed), true);
  assert.equal(seed.value, "99");
  const [[type, take]] = seed.heard.filter(Array.isArray);
  assert.deepEqual([type, seed.heard.filter((one) => one === "input").length], ["keyup", 2]);
  take({ target: seed });
  assert.deepEqual(seed.heard.slice(-2), ["blur", "focus"]);
});

test("other fields and other keys are left alone", () => {
  assert.equal(stepped("ArrowUp", field("st-key-typed-number-guess", "4")), false);
  assert.equal(stepped("a", field("st-key-typed-number-whole-0-to-9-n", "4")), false);
  assert.equal(stepped("ArrowUp", field("st-key-typed-number-whole-0-to-9-n", "four")), false);
});
