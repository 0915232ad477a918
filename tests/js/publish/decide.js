// Asks pages/publish/step.js what Python has asked its own functions; see tests/pages/publish/test_step.py.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import {
  another,
  answered,
  isRight,
  isSettled,
  messageOf,
  opened,
  significant,
  standing,
} from "../../../pages/publish/step.js";

const { numbers, questions, walks } = JSON.parse(readFileSync(process.argv[2], "utf8"));

for (const [value, text] of numbers) assert.equal(significant(value), text);

for (const { question, answers } of questions)
  for (const { keys, misses, right, state } of answers) {
    if (keys) assert.equal(isRight(question, keys), right, keys.join());
    assert.deepEqual(standing(question, keys, misses), state, `${question.name} ${keys}`);
  }

for (const { lesson, walk } of walks) {
  let where = null;
  for (const { does, index, keys, settled, run, t, view, message } of walk) {
    if (does === "open") where = opened(lesson, where, index, settled);
    else if (does === "answer") {
      assert.equal(isSettled(lesson.steps[index].question, keys, 1), settled, `${lesson.id} ${index}`);
      if (settled) where = answered(lesson, where);
    } else if (does === "run") where = another(where, lesson.steps[index].runs[run]);
    else where = { ...where, t };
    const told = messageOf(where, keys, 0);
    assert.deepEqual([where.t, where.view], [t, view], `${lesson.id} ${index} ${does}`);
    for (const [name, value] of Object.entries(message))
      assert.deepEqual(told[name], value, `${lesson.id} ${index} ${does} ${name}`);
  }
}
console.log(numbers.length, questions.length, walks.length);
