import assert from "node:assert/strict";
import test from "node:test";

import { answered, turned } from "../../../pages/player/keys.js";
import { page } from "../page.js";

function question() {
  // with two choices and a button that checks; what is pressed of them
  const pressed = [],
    press = (name) => ({ click: () => pressed.push(name) });
  page().querySelector = () => ({
    offsetParent: {},
    querySelectorAll: () => [press("one"), press("two")],
    querySelector: () => press("check"),
  });
  return pressed;
}

const on = { closest: () => on },
  other = { closest: () => null }; // a button, and anything else

test("numbers choose, and Enter checks", () => {
  const pressed = question();
  assert.deepEqual(
    ["2", "Enter", "3", "a"].map((key) => answered({ key, target: other }, false)),
    [true, true, false, false],
  );
  assert.deepEqual(pressed, ["two", "check"]);
});

test("a button that was reached by Tab keeps its keys; one that was clicked does not", () => {
  const pressed = question();
  assert.equal(answered({ key: "Enter", target: on }, false), false);
  assert.equal(answered({ key: "Enter", target: on }, true), true);
  assert.equal(answered({ key: "1", target: on }, true), true);
  assert.deepEqual(pressed, ["check", "one"]);
});

test("without a question no key answers", () => {
  page().querySelector = () => null;
  assert.equal(answered({ key: "1", target: other }, false), false);
});

test("a presenter's remote goes to the next step and back, where there is one", () => {
  const pressed = [],
    there = { ".st-key-next button:not(:disabled)": { click: () => pressed.push("next") } };
  page().querySelector = (selector) => there[selector] ?? null;
  assert.deepEqual(
    ["PageDown", "PageUp", "ArrowDown"].map((key) => turned(key, other, false)),
    [true, false, false],
  );
  assert.deepEqual(pressed, ["next"]);
  const slider = { matches: (selector) => selector === "[type=range]" };
  assert.equal(turned("PageDown", slider, false), false, "it moves the slider that was reached by Tab");
  assert.equal(turned("PageDown", slider, true), true, "one that was dragged leaves the remote its keys");
});
