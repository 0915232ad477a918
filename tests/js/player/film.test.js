import assert from "node:assert/strict";
import test from "node:test";

import { Film } from "../../../pages/player/film.js";

const DESCRIBED = {
  chain: "a",
  charts: [{ name: "list", listed: { items: 4, shown: 2, sets: { items: 1 } } }],
  data: { bars: { name: ["x", "y"] }, items: { name: ["a", "b", "c", "d"] }, dots: { name: ["p", "q"] } },
  trails: [{ set: "trail", field: "was", of: ["bars", "height"], many: 2, empty: 9 }],
  ahead: ["dots"],
};
const COLUMNS = {
  "bars height": (t) => [t, 10 * t],
  "dots x": (t) => [t, -t],
  "items size": (t) => [t, t + 1, t + 2, t + 3],
  "say count": (t) => [t * t],
  "past mean": (t) => [t / 2],
};

function frames(start, count) {
  const columns = Object.entries(COLUMNS).map(([name, row]) => {
    const [set, field] = name.split(" ");
    return { set, field, row: (frame) => Uint8Array.from(row(start + frame).map((value) => value & 255)) };
  });
  return { head: { start, count }, columns };
}

function film() {
  const made = new Film(DESCRIBED, {}, null);
  made.keep(frames(0, 4));
  return made;
}

test("frames are kept once, and each is a row of the past", () => {
  const made = film();
  assert.deepEqual([made.last, made.past.map(({ t }) => t)], [3, [0, 1, 2, 3]]);
  const news = made.keep(frames(2, 4)); // two of them are there
  assert.deepEqual([made.last, news.map(({ t }) => t), made.past.length], [5, [4, 5], 6]);
  assert.equal(news[0].mean, 2);
});

test("a frame's numbers are in the rows of its sets, those that are moved to ahead of it", () => {
  const made = film(),
    values = made.values(2, 3);
  const of = (name, field) => made.rows(name, values, 0).map((row) => row[field]);
  assert.deepEqual(of("bars", "height"), [2, 20]);
  assert.deepEqual(of("bars", "name"), ["x", "y"]);
  assert.deepEqual(of("dots", "x"), [3, 253]);
  assert.equal(made.rows("past", values, 0), made.past);
  assert.deepEqual(made.said(values), { count: 4 });
});

test("a trail looks back, and has what stands for frames before the first", () => {
  const trail = (at) => [...film().values(at, at).at(-1)];
  assert.deepEqual(trail(2), [1, 2, 10, 20]);
  assert.deepEqual(trail(0), [9, 0, 9, 0]);
});

test("of a list, those items are in sight to which it is scrolled, and no others of their numbers", () => {
  const made = film(),
    rows = made.rows("items", made.values(1, 1), 2);
  assert.deepEqual(
    rows.map(({ name, size }) => [name, size]),
    [
      ["c", 3],
      ["d", 4],
    ],
  );
});

test("what is drawn at rest alone takes the place of its set, and only what changes is changed", () => {
  const made = film();
  made.rested = { dots: { x: [7] } };
  assert.deepEqual(made.rows("dots", made.values(1, 1), 0), [{ i: 0, x: 7 }]);
  assert.deepEqual(made.changing(["bars", "past", "trail", "elsewhere"]), ["bars", "trail"]);
});

test("of a data set, the rows whose numbers differ are changed and no others", () => {
  const made = film(),
    rows = made.rows("bars", made.values(1, 1), 0),
    touched = [];
  const changes = {
    modify: (which, field, value) =>
      rows.filter(which).forEach((row) => {
        touched.push(row.i);
        row[field] = value(row);
      }),
  };
  made.modify(changes, "bars", [[1, 12]]);
  assert.deepEqual([touched, rows.map(({ height }) => height)], [[1], [1, 12]]);
});
