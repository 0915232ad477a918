import { curve } from "../../../pages/publish/calibration.js";
// Asks pages/publish/review.js what Python has asked lessons/review.py; see tests/pages/publish/test_returns.py.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { before, calibration, cards, deal, finished, nextDue, reviewed } from "../../../pages/publish/review.js";

const { asked, lessons, cases } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const flat = (/** @type {any} */ { ask, due, missed }) => [ask.idea, ask.lesson, ask.step, due, missed];

for (const { kept, now, curves, rows, met, dealt, next, opens, done, records } of cases) {
  assert.deepEqual(cards(asked, kept).map(flat), met);
  assert.deepEqual(deal(asked, kept, now).map(flat), dealt);
  assert.deepEqual(
    calibration(kept).map(({ level, right, many, low, high }) => [level, right, many, low, high]),
    rows,
  );
  assert.equal(curve(calibration(kept)), curves);
  assert.equal(nextDue(asked, kept), next);
  assert.deepEqual(finished(lessons, kept), done);
  for (const [lesson, ask] of opens) {
    const found = before(asked, lessons, kept, lesson, now);
    assert.deepEqual(found && [found.idea, found.lesson, found.step], ask, lesson);
  }
  for (const [place, right, record] of records) assert.deepEqual(reviewed(asked[place], kept, now, right), record);
}
console.log(cases.length);
