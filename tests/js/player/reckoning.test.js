import assert from "node:assert/strict";
import test from "node:test";

import {
  LONGEST,
  aligned,
  firstStop,
  framesNeeded,
  isAt,
  nextRest,
  nextStop,
  placeOf,
  searchOf,
  trailOf,
  untold,
  walked,
} from "../../../pages/player/reckoning.js";

const rests = { playing: false, rate: 2, stride: 1, total: 1000, t: 0, goal: null, wanted: null };

test("answers end where everybody's end", () => {
  assert.deepEqual(
    [0, 1, 20, 21].map((number) => aligned(number, 20)),
    [0, 20, 20, 40],
  );
});

test("the first answer has the frame that is opened, and one more", () => {
  assert.equal(firstStop({ at: 0, total: 1000 }), 10);
  assert.equal(firstStop({ at: 18, total: 1000 }), 20);
  assert.equal(firstStop({ at: 19, total: 1000 }), 30);
  assert.equal(firstStop({ at: 0, total: 7 }), 8);
  assert.equal(firstStop({ at: 900, total: 1000 }), 600);
});

test("at rest, some steps' frames are held; while it plays, some seconds'", () => {
  assert.equal(framesNeeded(rests), 10);
  assert.equal(framesNeeded({ ...rests, t: 7.2 }), 18);
  assert.equal(framesNeeded({ ...rests, stride: 50 }), 100);
  assert.equal(framesNeeded({ ...rests, playing: true }), 20);
  assert.equal(framesNeeded({ ...rests, playing: true, rate: 60 }), 180);
});

test("what is walked to, or jumped to, is needed, and nothing beyond the end", () => {
  assert.equal(framesNeeded({ ...rests, goal: 100 }), 110);
  assert.equal(framesNeeded({ ...rests, wanted: 300, t: 10 }), 310);
  assert.equal(framesNeeded({ ...rests, wanted: 999 }), 1001);
});

test("frames come in chunks, in longer ones for a fast film, and never too many at once", () => {
  const film = { playing: false, rate: 2, total: 10_000, needed: 40 };
  assert.equal(nextStop(20, film), 40);
  assert.equal(nextStop(15, film), 40);
  assert.equal(nextStop(20, { ...film, needed: 41 }), 60);
  assert.equal(nextStop(20, { ...film, playing: true, rate: 5 }), 40);
  assert.equal(nextStop(20, { ...film, playing: true, rate: 15 }), 120);
  assert.equal(nextStop(20, { ...film, rate: 15 }), 40);
  assert.equal(nextStop(20, { ...film, needed: 5000 }), 620);
  assert.equal(nextStop(20, { ...film, total: 30 }), 31);
});

test("Step rests at multiples of its stride, wherever it starts", () => {
  assert.deepEqual(
    [0, 9, 10, 11].map((t) => nextRest(t, 1, 10)),
    [10, 10, 20, 20],
  );
  assert.deepEqual(
    [20, 11, 10, 9].map((t) => nextRest(t, -1, 10)),
    [10, 10, 0, 0],
  );
  assert.equal(nextRest(4.5, 1, 1), 5);
  assert.equal(nextRest(4.5, -1, 1), 4);
});

test("a film that plays keeps its speed, and a walk its time", () => {
  const film = { t: 10, goal: null, rate: 15, least: 0, lasts: 0.5, last: 500 };
  assert.equal(walked(film, 1000, 0.1), 11.5);
  assert.equal(walked({ ...film, goal: 11 }, 11, 0.25), 10.5);
  assert.equal(walked({ ...film, goal: 20 }, 20, 0.25), 15);
  assert.equal(walked({ ...film, goal: 400 }, 400, 0.1), 16); // sixty a second at most
  assert.equal(walked({ ...film, goal: 11, t: 10.9 }, 11, 0.25), 11);
});

test("no walk takes longer than three seconds, however far it is", () => {
  for (const end of [1, 12, 180, 2000]) {
    let t = 0,
      ticks = 0;
    while (t < end) {
      t = walked({ t, goal: end, rate: 2, least: end / LONGEST, lasts: 0.5, last: end }, end, 0.1);
      ticks += 1;
    }
    assert.ok(ticks <= 31, `${end} iterations in ${ticks / 10} s`);
  }
});

test("what moves waits for its frames, and does not go back for them", () => {
  const film = { t: 19, goal: null, rate: 60, lasts: 0.5, last: 19 };
  assert.equal(walked(film, 1000, 0.1), 19);
  assert.equal(walked({ ...film, last: 21 }, 1000, 0.1), 21);
  assert.equal(walked({ ...film, last: 10 }, 1000, 0.1), 19);
});

test("a trail has the latest value last, and is empty before the start", () => {
  assert.deepEqual(
    [
      ...trailOf(
        [
          [5, 6],
          [3, 4],
        ],
        3,
        255,
      ),
    ],
    [255, 3, 5, 255, 4, 6],
  );
  assert.deepEqual([...trailOf([[5], [3], [1]], 2, 0)], [3, 5]);
});

test("of reports of rest the last one counts; others are all told", () => {
  const [rest, later, dial, other] = [
    { kind: "rest", t: 1 },
    { kind: "rest", t: 2 },
    { kind: "dial", value: 1 },
    { kind: "dial", value: 2 },
  ];
  assert.deepEqual(untold([rest, dial], later), [dial, later]);
  assert.deepEqual(untold([rest, dial], other), [rest, dial, other]);
});

test("the address has the iteration, and keeps what others put there", () => {
  const source = "coin?bias=0.5&tosses=20&seed=7";
  assert.equal(searchOf("bias=0.5", 3.9, "?seed=1&t=9&embed=true", source), "?embed=true&bias=0.5&t=3");
  assert.equal(
    searchOf("seed=7", 0, "?lesson=a&step=b&view=code&utm_source=x%20y", source),
    "?utm_source=x+y&seed=7&t=0",
  );
  assert.equal(searchOf("", 2, ""), "?t=2");
});

test("a link's place is its lesson and its step", () => {
  assert.equal(placeOf("seed=7&step=two&lesson=coin"), "coin two");
  assert.equal(placeOf("seed=7"), "null null");
});

test("a film belongs to the address of its topic's page alone, below any path", () => {
  assert.deepEqual(
    ["/coin", "/below/a/coin", "/", "/crp_seating"].map((path) => isAt("coin?method=draws&seed=7", path)),
    [true, true, false, false],
  );
  assert.equal(isAt(undefined, "/"), false);
});
