import assert from "node:assert/strict";
import test from "node:test";

import { giving } from "../../../pages/player/fold.js";

test("the picture gives what cards lack, up to an end, and takes nothing back of what it gave before", () => {
  assert.deepEqual(
    [
      [-50, 0, 0],
      [30, 0, 0],
      [-50, 30, 30],
      [20, 30, 30],
      [500, 0, 0],
    ].map((all) => giving(...all, false)),
    [0, 30, 30, 50, 94],
  );
  assert.equal(giving(-60, 90, 20, false), 30, "cards that have just come may lack less than it seemed");
});

test("to a list that it could not bring onto the screen it gives nothing", () => {
  assert.equal(giving(500, 30, 30, true), 30);
  assert.equal(giving(60, 0, 0, true), 60);
});
