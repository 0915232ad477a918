import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { FOUR, SIX, WORLDS, beside, picked, straight } from "../../../pages/form/own.js";
import { rounded, scales } from "../../../pages/form/running.js";

const near = (value, to, off) => assert.ok(Math.abs(value - to) < off, `${value} is not ${to}`);
const last = (values) => values[values.length - 1];

suite("a rule of the learner's own", () => {
  for (const [name, { right }] of Object.entries(WORLDS)) {
    test(`${name}: the true share is the true rule, and every share runs`, () => {
      const same = beside(name, right, 1);
      assert.deepEqual(same.hers, same.theirs);
      for (const guess of [0, 0.5, 1]) {
        const { hers, theirs, xs, said } = beside(name, guess, 1);
        assert.deepEqual([hers.length, theirs.length], [xs.length, xs.length]);
        assert.ok(hers.every(Number.isFinite));
        assert.equal(said.includes("is taken as"), guess === 0 || guess === 1);
      }
      assert.deepEqual(beside(name, 0.3, 2), beside(name, 0.3, 2));
    });
  }

  test("it runs to where the case of the lesson says", () => {
    // left with probability 0.25 from the right: 1 / (1 + 0.25) of the time on the right
    near(last(beside("places", 0.25, 3).hers), 0.8, 0.03);
    near(last(beside("places", 0.5, 3).theirs), 2 / 3, 0.05);
    near(last(beside("counts", 0.5, 1).hers), 0.5, 1e-12); // learns nothing
    near(last(beside("counts", 0.6, 1).theirs), 6 / 14, 1e-12);
    assert.equal(beside("counts", 0.6, 1).end, "after 12 examples seen");
    assert.ok(last(beside("tables", 0.1, 1).hers) > last(beside("tables", 0.1, 1).theirs));
    assert.ok(last(beside("states", 0.5, 1).hers) > last(beside("states", 0.5, 1).theirs)); // its neighbours pull it less
    assert.ok(last(beside("dishes", 0.5, 1).hers) < last(beside("dishes", 0.5, 1).theirs));
  });

  test("distances: straight lines through one half, point 4 and the guess, within 0 and 1", () => {
    const line = straight(0.9);
    near(line(0), 0.5, 1e-12);
    near(line(FOUR), 0.706, 0.001);
    near(line(SIX), 0.9, 1e-12);
    assert.equal(straight(0.98)(2 * SIX), 1);
    assert.equal(straight(0)(2 * SIX), 0);
  });

  test("a dart hits an option in proportion to its weight", () => {
    const logs = [0, Math.log(3), -Infinity];
    assert.deepEqual(
      [0, 0.24, 0.26, 0.999999].map((dart) => picked(logs, dart)),
      [0, 0, 1, 1],
    );
  });

  test("its picture has room for both lines", () => {
    assert.deepEqual([0.83, 1, 2.3, 7, 41].map(rounded), [1, 1, 4, 10, 50]);
    const { x, y, top } = scales({ hers: [0, 3], theirs: [1, 1], xs: [0, 1] });
    assert.ok(x(0) < x(1) && y(3) < y(0) && y(top) >= 0);
  });
});
