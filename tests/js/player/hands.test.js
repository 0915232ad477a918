import assert from "node:assert/strict";
import test from "node:test";

import { alongTheRun, hintOf, unitsAt } from "../../../pages/player/hands.js";

// A chart 100 wide and 50 high whose axes go from 0 to 10 and, downwards, from 5 to 0.
const scales = {
  x: Object.assign((value) => 10 * value, { domain: () => [0, 10], invert: (pixels) => pixels / 10 }),
  y: Object.assign((value) => 50 - 10 * value, { domain: () => [5, 0], invert: (pixels) => (50 - pixels) / 10 }),
};
const view = { origin: () => [4, 2], padding: () => ({ left: 6, top: 8 }), scale: (axis) => scales[axis] };
const canvas = { getBoundingClientRect: () => ({ left: 100, top: 200 }) };

test("the pointer's place is in the units of an axis", () => {
  assert.equal(unitsAt(view, canvas, { clientX: 160, clientY: 0 }, "x"), 5);
  assert.equal(unitsAt(view, canvas, { clientX: 0, clientY: 230 }, "y"), 3);
});

test("the pointer's place is within the axis, whichever way that goes", () => {
  assert.equal(unitsAt(view, canvas, { clientX: 0, clientY: 0 }, "x"), 0);
  assert.equal(unitsAt(view, canvas, { clientX: 999, clientY: 0 }, "x"), 10);
  assert.equal(unitsAt(view, canvas, { clientX: 0, clientY: 0 }, "y"), 5);
  assert.equal(unitsAt(view, canvas, { clientX: 0, clientY: 999 }, "y"), 0);
});

test("an axis of iterations is one of the field t, in whichever layer", () => {
  assert.ok(alongTheRun({ encoding: { x: { field: "t" } } }));
  assert.ok(alongTheRun({ layer: [{ mark: "rule" }, { layer: [{ encoding: { x: { field: "t" } } }] }] }));
  assert.ok(!alongTheRun({ encoding: { x: { field: "theta" }, y: { field: "t" } } }));
  assert.ok(!alongTheRun({ layer: [] }));
});

test("a chart says what can be done on it: moved, opened, gone along; and nothing while that is locked", () => {
  const people = { hand: "", spec: { transform: [{ calculate: "'customer-' + datum.person", as: "mark" }] } };
  const trace = { hand: "", spec: { encoding: { x: { field: "t" } } } };
  assert.equal(hintOf({ hand: "probe", spec: {} }, [], true, true), "Press or drag here");
  assert.equal(hintOf(people, ["customer", "table"], true, true), "Click a customer");
  assert.equal(hintOf(trace, ["customer"], false, true), "Click to go there");
  assert.equal(hintOf(people, [], true, true), "");
  assert.equal(hintOf(people, ["customer"], false, true), "");
  assert.equal(hintOf(trace, [], true, false), "");
});
