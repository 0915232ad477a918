import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { LOOKS } from "../../../pages/form/looks.js";
import { page } from "../page.js";

/** As much of an element as the looks need. */
const made = () => ({
  style: { setProperty() {} },
  children: [],
  append(...parts) {
    this.children.push(...parts);
  },
  setAttribute() {},
  querySelector: () => null,
});

function look(name, question = {}) {
  page().createElement = made;
  let changes = 0;
  const one = new LOOKS[name](
    { look: name, title: "", lang: "en", dir: "ltr", grain: 1, limits: null, empty: "", options: [], ...question },
    () => (changes += 1),
  );
  return { one, changes: () => changes };
}

const OPTIONS = ["a", "b", "c"].map((key) => ({ key, html: key }));

test("every look that a kind can choose is drawn here; a rule has a desk", () => {
  const kinds = readFileSync("lessons/format/questions/kind.py", "utf8"),
    names = [.../look: Literal\[(.*?)\]/.exec(kinds)[1].matchAll(/"(\w+)"/g)].map(([, name]) => name);
  assert.deepEqual([...Object.keys(LOOKS), "rule"].sort(), [...names, "text"].sort());
});

test("what is chosen are keys, in the order in which they are shown", () => {
  const { one, changes } = look("several", { options: OPTIONS });
  assert.deepEqual(one.keys, []);
  one.draft = ["c", "a"];
  assert.deepEqual(one.keys, ["a", "c"]);
  one.fields[1].onchange();
  assert.equal(changes(), 1);
});

test("a number is read as people write it; what is none stays, and is said", () => {
  const { one } = look("number", { limits: [0, 10] });
  for (const [text, keys] of [
    ["2,5", ["2.5"]],
    ["1/4", ["0.25"]],
    ["11", []],
    ["x", []],
    ["", []],
  ]) {
    one.draft = [text];
    assert.deepEqual(one.keys, keys);
  }
  one.draft = ["11"];
  assert.match(one.refused.textContent, /outside the range/);
  assert.deepEqual(one.draft, ["11"]);
  one.draft = [];
  assert.equal(one.refused.textContent, "");
});

test("a share above 1 is in per cent", () => {
  const { one } = look("number", { limits: [0, 1] });
  for (const [text, keys] of [
    ["30", ["0.3"]],
    ["0,3", ["0.3"]],
    ["101", []],
    ["-1", []],
  ]) {
    one.draft = [text];
    assert.deepEqual(one.keys, keys);
  }
});

test("a slider has a value from the start: its low end", () => {
  const { one } = look("slider", { limits: [0.5, 2], grain: 0.25 });
  assert.deepEqual(one.keys, ["0.5"]);
  one.draft = ["1.25"];
  assert.equal(one.shown.textContent, "1.25");
});

test("an answer in words has no blanks around it", () => {
  const { one } = look("text");
  one.field.value = "  because ";
  assert.deepEqual(one.keys, ["because"]);
  one.field.value = " ";
  assert.deepEqual(one.keys, []);
});
