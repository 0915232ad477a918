import assert from "node:assert/strict";
import test from "node:test";

import { chosen } from "../../../pages/player/choosing.js";

// three rows of three tiles, the first at the top left, and one more
const TILES = [...Array(10).keys()].map((i) => ({ x: 4 * (i % 3), y: 9 - 3 * Math.floor(i / 3) }));

test("arrow keys go to the next tile in their row or column, and stay at the wall's end", () => {
  assert.deepEqual(
    ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Home", "End"].map((key) => chosen(TILES, 4, key)),
    [5, 3, 1, 7, 0, 9],
  );
  assert.equal(chosen(TILES, 2, "ArrowRight"), 2);
  assert.equal(chosen(TILES, 0, "ArrowUp"), 0);
});

test("below a row that is shorter the nearest tile is chosen", () => assert.equal(chosen(TILES, 7, "ArrowDown"), 9));

test("any other key chooses nothing", () => assert.equal(chosen(TILES, 4, "a"), null));
