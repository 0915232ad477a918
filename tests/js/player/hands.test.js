import assert from "node:assert/strict";
import test from "node:test";

import { alongTheRun, clickOn, handOn, hintOf, unitsAt } from "../../../pages/player/hands.js";

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
  assert.equal(hintOf(people, ["customer", "table"], true, true), "Press a customer");
  assert.equal(hintOf(trace, ["customer"], false, true), "Press to go there");
  assert.equal(hintOf(people, [], true, true), "");
  assert.equal(hintOf(people, ["customer"], false, true), "");
  assert.equal(hintOf(trace, [], true, false), "");
});

const item = { bounds: { x1: 20, x2: 30, y1: 20, y2: 30 }, datum: { mark: "customer-3", row: 2 } };

function touchable() {
  // a chart with one mark, and what it and its canvas listen to
  const heard = {};
  const listens = (of) => (kind, then) => (heard[of + kind] = [...(heard[of + kind] ?? []), then]);
  const chart = { ...view, scenegraph: () => ({ root: { marktype: "symbol", items: [item] } }) };
  chart.addEventListener = listens("view ");
  const classList = { add: () => {}, toggle: () => {} };
  const pressed = { ...canvas, addEventListener: listens(""), classList, setPointerCapture: () => {} };
  return { chart, pressed, tell: (kind, ...told) => heard[kind].forEach((then) => then(...told)) };
}

test("a finger opens the mark that it presses or nearly presses, though Vega has no item for it", () => {
  const { chart, pressed, tell } = touchable(),
    opened = [];
  const leads = (mark) => mark.startsWith("customer");
  clickOn(
    { view: chart, canvas: pressed, leads, walks: () => false },
    (mark) => opened.push(mark),
    () => {},
  );
  const press = (pointerType, clientX, seen) => {
    const event = { pointerType, clientX, clientY: 235 };
    tell("pointerdown", event);
    tell("click", event);
    tell("view click", event, seen);
    return opened.splice(0);
  };
  assert.deepEqual(press("touch", 145, undefined), ["customer-3"], "at its edge, 5 pixels away");
  assert.deepEqual(press("touch", 190, undefined), []);
  assert.deepEqual(press("mouse", 145, item), ["customer-3"], "once");
  assert.deepEqual(press("mouse", 135, undefined), []);
});

test("a finger takes hold of the mark that it presses or nearly presses", () => {
  const { chart, pressed, tell } = touchable(),
    rows = [];
  const place = () => [0, 0],
    free = () => true;
  handOn(
    { view: chart, chart: { hand: "point" }, canvas: pressed, free, place },
    ({ row }) => rows.push(row),
    () => {},
  );
  for (const [pointerType, clientX] of [
    ["touch", 145],
    ["touch", 190],
    ["mouse", 190],
  ]) {
    const event = { pointerType, clientX, clientY: 235, button: 0, pointerId: 1, preventDefault: () => {} };
    tell("view pointerdown", event, pointerType === "mouse" ? item : undefined);
    tell("pointerup", event);
  }
  assert.deepEqual(rows, [2, null, 2]);
});
