import assert from "node:assert/strict";
import test from "node:test";

import { cardsAt } from "../../../pages/player/cards.js";

test("at rest each iteration has its card", () => {
  assert.deepEqual(cardsAt(17, false, 60), { every: 1, second: 1, wanted: 17 });
});

test("a slow film has them all, and a fast one about six a second", () => {
  assert.deepEqual(cardsAt(17, true, 2), { every: 1, second: 2, wanted: 17 });
  assert.deepEqual(cardsAt(17, true, 5), { every: 1, second: 5, wanted: 17 });
  assert.deepEqual(cardsAt(17, true, 15), { every: 3, second: 15, wanted: 15 });
  assert.deepEqual(cardsAt(17, true, 60), { every: 10, second: 60, wanted: 10 });
});

test("a film slower than one a second still asks for a card", () => {
  assert.deepEqual(cardsAt(3, true, 0.5), { every: 1, second: 1, wanted: 3 });
});

test("a second's cards are whole numbers of them at every speed", () => {
  for (let speed = 0.5; speed < 200; speed += 0.5) {
    const { every, second } = cardsAt(0, true, speed);
    assert.equal(second % every, 0, `at ${speed}`);
    assert.ok(second >= speed && second / every <= 9, `at ${speed}`);
  }
});
