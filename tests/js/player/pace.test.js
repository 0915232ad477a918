import assert from "node:assert/strict";
import test from "node:test";

import { Pace } from "../../../pages/player/pace.js";

const chart = (/** @type {string} */ name, /** @type {number} */ took, painted = "0") => ({ name, took, painted });
const names = (/** @type {{ name: string }[]} */ charts) => charts.map(({ name }) => name).join("");

/** @type {(hertz: number, frames?: number) => Pace} */
function screen(hertz, frames = 200) {
  const pace = new Pace();
  for (let i = 0; i < frames; i++) pace.ticked(1000 / hertz);
  return pace;
}

test("the period is the screen's, whatever it is, and late or doubled frames do not count", () => {
  for (const hertz of [50, 60, 90, 120, 144, 240]) {
    const pace = screen(hertz, 1000);
    assert.ok(Math.abs(pace.period - 1000 / hertz) < 0.01, `${hertz}`);
    for (const odd of [0, 0.3, 100, 400]) pace.ticked(odd);
    assert.ok(Math.abs(pace.period - 1000 / hertz) < 0.01);
  }
});

test("late frames now and then leave the period nearly as it is", () => {
  const pace = screen(120);
  for (let i = 0; i < 300; i++) pace.ticked(i % 3 ? 1000 / 120 : 1000 / 40);
  assert.ok(pace.period < 1000 / 110);
});

test("where there is time, those beside the main picture are painted in turn, one a frame", () => {
  const pace = screen(60),
    main = [chart("m", 4)],
    others = [chart("a", 3), chart("b", 3)];
  const seen = [1, 2, 3].map((t) => names(pace.due(main, others, `${t}`, 16.7 * t)));
  assert.deepEqual(seen, ["ma", "mb", "ma"]);
});

test("they never cost the main picture a frame: on a faster screen, they take the frames between two iterations", () => {
  const pace = screen(120),
    main = [chart("m", 5)],
    others = [chart("a", 3), chart("b", 3)];
  const seen = [0, 1, 2, 3].map((frame) => {
    const whole = `${1 + Math.floor(frame / 2)}`,
      due = pace.due(main, others, whole, 1000 + (1000 / 120) * frame);
    for (const one of due) one.painted = whole;
    return names(due);
  });
  assert.deepEqual(seen.slice(1), ["mb", "m", "ma"]);
});

test("where there never is time, one is painted each half second", () => {
  const pace = screen(60),
    main = [chart("m", 15)],
    others = [chart("a", 3), chart("b", 3)];
  let painted = "";
  for (let t = 0; t < 120; t++) painted += names(pace.due(main, others, `${t + 1}`, 1000 + 16.7 * t)).slice(1);
  assert.equal(painted, "abab");
});

test("a film with one chart has none in turn", () => {
  assert.deepEqual(screen(60).due([chart("m", 1)], [], "1", 0), [chart("m", 1)]);
});
