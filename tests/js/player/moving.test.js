import assert from "node:assert/strict";
import test from "node:test";

import { Moving, nearestOf } from "../../../pages/player/moving.js";

const part = (place, left, top) => ({
  dataset: { place, person: `p${place}` },
  getBoundingClientRect: () => ({ left, right: left + 20, top, bottom: top + 20 }),
});
const [one, two, below] = [part("1", 0, 0), part("2", 40, 0), part("3", 0, 30)];

test("a part goes to the nearest one, in its own line rather than in the next", () => {
  assert.equal(nearestOf([one, two, below], 12, 12), one);
  assert.equal(nearestOf([one, two, below], 48, 12), two);
  assert.equal(nearestOf([two, below], 25, 22), two, "the line below is as far again");
  assert.equal(nearestOf([one, two, below], 10, 38), below);
});

test("the arrow keys move the part that has the focus, and not beyond the ends", () => {
  const moves = [],
    ears = {},
    row = { querySelectorAll: () => [one, two, below] };
  for (const some of [one, two, below]) some.parentElement = row;
  new Moving(
    {
      addEventListener: (kind, ear) => {
        ears[kind] = ear;
      },
    },
    (which, to) => moves.push([which, to]),
  );
  const press = (some, key) => ears.keydown({ key, target: { closest: () => some }, preventDefault() {} });
  press(two, "ArrowLeft");
  press(two, "ArrowRight");
  press(one, "ArrowLeft");
  press(below, "ArrowRight");
  press(two, "Enter");
  press(null, "ArrowLeft");
  assert.deepEqual(moves, [
    [2, 1],
    [2, 3],
  ]);
});
