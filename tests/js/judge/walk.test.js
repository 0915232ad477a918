import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { general } from "../../../pages/judge/figures.js";
import { lgamma } from "../../../pages/judge/lgamma.js";
import { closedClass, longRun, period } from "../../../pages/judge/long_run.js";
import { Table, packed } from "../../../pages/judge/table.js";
import { begun, draw, moved, optionsAt } from "../../../pages/judge/walk.js";

const TABLE = new Table({
  points: 1,
  form: "ratio",
  states: [[0], [1]],
  sites: ["step"],
  outcomes: [],
  posterior: [0.25, 0.75],
  exact: null,
  knows: [{ names: ["p"], rows: [[1], [3]] }],
  counts: [1, 1],
  line: [0, 0],
  row: [0, 1],
  target: [1, 0],
  share: [1, 1],
});

suite("a chain that moves by a rule", () => {
  test("a draw is the same each time, and even over many", () => {
    assert.equal(draw(7, 3), draw(7, 3));
    const mean = Array.from({ length: 2000 }, (_, t) => draw(7, t)).reduce((sum, one) => sum + one) / 2000;
    assert.ok(Math.abs(mean - 0.5) < 0.03);
  });

  test("it goes where the draw falls, and stays where nothing is accepted", () => {
    const place = { ...begun(TABLE), state: 0 };
    assert.deepEqual(optionsAt(TABLE, place), [0]);
    assert.equal(moved(TABLE, place, [1], 7).state, 1);
    assert.deepEqual(moved(TABLE, place, [0], 7), { t: 1, site: 0, state: 0 });
  });

  test("one update has probabilities where another has none", () => {
    assert.deepEqual(TABLE.here(Float64Array.of(2, NaN), [0]), [1]);
    assert.equal(TABLE.here(Float64Array.of(2, NaN), [1]), null);
  });

  test("what is left over stays in its state", () => {
    const { start, to, p } = packed(2, (update) => [
      [1 - update, 0.25],
      [update, 0.5],
      [update, 0.25],
    ]);
    assert.deepEqual(
      [[...start], [...to], [...p]],
      [
        [0, 2, 4],
        [0, 1, 0, 1],
        [0.75, 0.25, 0.25, 0.75],
      ],
    );
  });
});

suite("long runs", () => {
  const chain = (/** @type {number[][]} */ matrix) => ({
    rows: packed(matrix.length, (state) => matrix[state].map((p, to) => [to, p])),
    size: matrix.length,
    sites: 1,
  });

  test("one that settles slowly is solved for", () => {
    const [first] = longRun(
      chain([
        [1 - 1e-6, 1e-6],
        [3e-6, 1 - 3e-6],
      ]),
    );
    assert.ok(Math.abs(first - 0.75) < 1e-9);
  });

  test("one that cannot come back, and one that goes round", () => {
    assert.deepEqual(
      [
        ...closedClass(
          chain([
            [0.5, 0.5],
            [0, 1],
          ]),
        ),
      ],
      [0, 1],
    );
    const round = chain([
      [0, 1, 0],
      [0, 0, 1],
      [1, 0, 0],
    ]);
    assert.deepEqual([...closedClass(round)], [1, 1, 1]);
    assert.equal(period(round), 3);
    assert.equal(
      period(
        chain([
          [0.1, 0.9],
          [1, 0],
        ]),
      ),
      1,
    );
  });
});

test("numbers are written as Python writes them", () => {
  const cases = [
    [0, "0"],
    [1234.6, "1235"],
    [0.00012345, "0.0001234"],
    [12345678, "1.235e+07"],
    [1e-9, "1e-09"],
    [-3.5, "-3.5"],
  ];
  for (const [value, text] of cases) assert.equal(general(value, 4), text);
});

test("log gamma, near its poles as well", () => {
  assert.equal(lgamma(1), 0);
  assert.ok(Math.abs(lgamma(0.5) - Math.log(Math.PI) / 2) < 1e-14);
  assert.equal(lgamma(-3), Infinity);
  assert.equal(lgamma(-40), Infinity);
});
