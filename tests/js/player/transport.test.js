import assert from "node:assert/strict";
import test from "node:test";

import { LONGEST } from "../../../pages/player/reckoning.js";
import { START, aims, cardsOf, early, moves, rateOf, reduced } from "../../../pages/player/transport.js";

const NOW = { last: 100, still: false, led: false };
const film = (changes) => ({ ...START, total: 100, ...changes });

function after(state, events, now = {}) {
  // the state and all that is to be done after some events, of which an act is named alone
  const done = [];
  for (const event of events) {
    const [next, effects] = reduced(state, typeof event === "string" ? { type: "act", act: event } : event, {
      ...NOW,
      ...now,
    });
    [state] = [next, done.push(...effects)];
  }
  return [state, done];
}
const tick = (seconds = 0.1) => ({ type: "tick", seconds });

test("play plays, pause pauses, and a film that is over begins anew", () => {
  const [playing, done] = after(film({ t: 40 }), ["play"]);
  assert.deepEqual([playing.playing, playing.t, done], [true, 40, ["run"]]);
  const [paused, rest] = after(playing, [tick(), "play"]);
  assert.deepEqual([paused.playing, paused.t, rest], [false, 40.2, ["fill", "show", "again", "show", "rest"]]);
  assert.equal(after(film({ t: 100 }), ["play"])[0].t, 0);
});

test("a fast film, which is drawn at whole iterations, pauses at one", () => {
  assert.equal(after(film({ t: 40.7, speed: 15, playing: true }), ["play"])[0].t, 40);
  assert.equal(after(film({ t: 40.7, speed: 5, playing: true }), ["play"])[0].t, 40.7);
});

test("a step is walked, and rests where it ends", () => {
  const [walking, done] = after(film(), ["step"]);
  assert.deepEqual([walking.goal, walking.t, done], [1, 0, ["run"]]);
  const [there, ticks] = after(walking, [tick(0.3), tick(0.3)]);
  assert.deepEqual([there.t, there.goal, moves(there)], [1, null, false]);
  assert.deepEqual(ticks, ["fill", "show", "again", "fill", "show", "rest"]);
});

test("two quick clicks are two steps, and Step goes by the stride", () => {
  const [twice] = after(film(), ["step", tick(0.1), "step"]);
  assert.deepEqual([twice.t, twice.goal], [1, 2]);
  assert.equal(after(film({ t: 7, stride: 5 }), ["step"])[0].goal, 10);
  assert.equal(after(film({ t: 7, stride: 5 }), ["back"])[0].t, 5);
  assert.equal(after(film({ t: 98, stride: 5 }), ["step"])[0].goal, 100, "the last one is the end");
});

test("at either end of a chapter, the next or the last one is asked for", () => {
  assert.deepEqual(after(film({ t: 100, after: true }), ["step"])[1], ["next"]);
  assert.deepEqual(after(film({ t: 0, before: true }), ["back"])[1], ["previous"]);
  const end = film({ t: 99.9, after: true, playing: true });
  assert.deepEqual(after(end, [tick()])[1], ["fill", "show", "next"]);
  assert.equal(after(end, [tick()])[0].playing, true, "so that the next one plays on");
  assert.deepEqual(after(end, [tick()], { led: true })[1], ["fill", "show", "rest"], "a class asks for it by itself");
});

test("a jump beyond the frames that are there goes as far as they do, and on when more come", () => {
  const [waits, done] = after(film(), [{ type: "settle", t: 90 }], { last: 30 });
  assert.deepEqual([waits.t, waits.wanted, done], [30, 90, ["stir", "fill", "show", "rest"]]);
  assert.ok(moves(waits));
  const [nearer, some] = after(waits, [{ type: "frames" }], { last: 60 });
  assert.deepEqual([nearer.t, nearer.wanted, some], [60, 90, ["show"]]);
  const [there, rest] = after(nearer, [{ type: "frames" }]);
  assert.deepEqual([there.t, there.wanted, rest], [90, null, ["show", "rest anew"]]);
});

test("whoever does not wait for a jump stops it", () => {
  const [waits] = after(film(), ["last"], { last: 30 });
  assert.equal(waits.wanted, 100);
  const [stopped, done] = after(waits, ["play"], { last: 30 });
  assert.deepEqual([stopped.t, moves(stopped), done], [30, false, ["show", "rest"]]);
});

test("a goal comes before the end, and is reached in a moment", () => {
  const ahead = film({ t: 10, until: 70 });
  assert.equal(after(ahead, ["last"])[0].t, 70);
  assert.equal(after({ ...ahead, t: 70 }, ["last"])[0].t, 100);
  const [runs] = after(ahead, ["goal"]);
  assert.equal(rateOf(runs), 60 / LONGEST);
  const [there] = after(runs, Array(100).fill(tick()));
  assert.deepEqual([there.t, rateOf(there), aims(there)], [70, 2, false]);
});

test("the film waits for frames that are on their way", () => {
  const [waits, done] = after(film({ t: 30, playing: true }), [tick(), tick()], { last: 30 });
  assert.deepEqual([waits.t, waits.playing, done.at(-1)], [30, true, "again"]);
});

test("where motion is unwelcome, steps and runs are jumps", () => {
  const [step] = after(film(), ["step"], { still: true });
  assert.deepEqual([step.t, after(step, [tick()], { still: true })[1].at(-1)], [1, "rest"]);
  assert.equal(after(film({ until: 70 }), ["goal"], { still: true })[0].t, 70);
  assert.equal(after(film(), [{ type: "loop", speed: 5 }], { still: true })[0].t, 100, "a cover shows its end");
});

test("a film that opens is arrived at, and plays on if the last one did", () => {
  const opened = [
    { type: "film", t: 3, lasts: 1 },
    { type: "enter", on: true },
  ];
  const [on, done] = after(film({ t: 100, playing: true }), opened);
  assert.deepEqual([on.t, on.playing, on.arriving, on.lasts, done.at(-1)], [3, true, true, 1, "run"]);
  opened[1].on = false;
  assert.equal(after(film({ t: 100, playing: true }), opened)[0].playing, false);
});

test("a dial that is turned stops what moves, but not the way to an iteration that is computed", () => {
  const [held] = after(film({ t: 5, goal: 6, wanted: 80, hurry: 3 }), [{ type: "hold" }]);
  assert.deepEqual([held.goal, held.hurry, held.wanted], [null, null, 80]);
});

test("a step under way is finished at once before anything else is told, a long walk is not", () => {
  assert.deepEqual(after(film({ t: 4.3, goal: 5 }), [{ type: "finish" }])[0].t, 5);
  for (const state of [film({ t: 4.3, goal: 50 }), film({ t: 4 }), film({ t: 4, playing: true })])
    assert.deepEqual(after(state, [{ type: "finish" }]), [state, []]);
  assert.deepEqual(after(film({ t: 4.3, goal: 5 }), [{ type: "finish" }], { last: 4 })[1], [], "it has no frames yet");
});

test("speeds have a slowest and a fastest", () => {
  assert.equal(after(film(), ["slower", "slower", "slower"])[0].speed, 0.5);
  assert.equal(after(film(), Array(9).fill("faster"))[0].speed, 60);
});

test("whatever is pressed, the player stays within its film, and comes to rest where all frames are there", () => {
  let seed = 7;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below; // the same every time
  const acts = ["play", "step", "back", "first", "last", "goal", "slower", "faster"];
  for (let run = 0; run < 200; run++) {
    let last = 5 + random(20);
    let state = film({ until: random(2) ? random(100) : null, stride: 1 + random(9) });
    for (let i = 0; i < 40; i++) {
      const one = random(4);
      if (one === 0) last = Math.min(100, last + random(30));
      const event = [{ type: "frames" }, tick(0.05), acts[random(8)], { type: "settle", t: random(130) - 10 }][one];
      [state] = after(state, [event], { last });
      const place = JSON.stringify(state);
      assert.ok(state.t >= 0 && state.t <= 100, place);
      assert.ok(!(state.playing && state.goal !== null), place);
      assert.ok(state.wanted === null || state.wanted > last, place);
    }
    [state] = after(state, [{ type: "frames" }, ...Array(3000).fill(tick())]);
    assert.ok(!moves(state), JSON.stringify(state));
  }
});

test("cards are those of the picture on a long walk, and where a step or a jump ends before it does", () => {
  const walk = film({ t: 15.4, goal: 90, least: 30 });
  assert.deepEqual(cardsOf(walk, 15, 100), { t: 15, playing: true, speed: 30 });
  assert.deepEqual(cardsOf({ ...walk, t: 89.2 }, 89, 100), { t: 90, playing: false, speed: 2 });
  assert.deepEqual(cardsOf(film({ t: 4.2, goal: 5 }), 4, 100), { t: 5, playing: false, speed: 2 });
  assert.deepEqual(cardsOf(film({ t: 4, goal: 5 }), 4, 4), { t: 4, playing: false, speed: 2 });
  assert.deepEqual(cardsOf(film({ wanted: 60, arriving: true }), 0, 100), { t: 60, playing: false, speed: 2 });
  assert.deepEqual(cardsOf(film({ t: 7, playing: true, hurry: 40 }), 7, 100), { t: 7, playing: true, speed: 40 });
});

test("a question about a later frame than the one that is there has no picture yet", () => {
  const [opened] = after(film({ t: 4 }), [{ type: "enter", on: false }], { last: 1 });
  assert.deepEqual([opened.t, early(opened, true), early(opened, false)], [1, true, false]);
  const [there] = after(opened, [{ type: "frames" }], { last: 9 });
  assert.deepEqual([there.t, early(there, true)], [4, false]);
  assert.equal(
    early(after(film(), [{ type: "jump", t: 9 }], { last: 1 })[0], true),
    false,
    "who goes there sees it grow",
  );
});
