import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { configOf, decode, fill, has, living, mix, rowsOf, typeScaled } from "../../../pages/player/canvas.js";

const wire = (name) => readFileSync(`${process.env.WIRE}/${name}`); // made by test_js.py

test("frames that Python packs are read, number by number", () => {
  const { head, columns } = decode(wire("frames.bin")),
    held = JSON.parse(wire("frames.json"));
  assert.deepEqual([head.start, head.count, head.said], [20, 5, "θ ≈ 0.5"]);
  assert.equal(columns.length, held.length);
  for (const [i, [set, field, rows]] of held.entries()) {
    assert.deepEqual([columns[i].set, columns[i].field], [set, field]);
    assert.deepEqual(
      rows.map((_, frame) => [...columns[i].row(frame)]),
      rows,
      set,
    );
  }
});

test("frames are read from the midst of a buffer", () => {
  const bytes = wire("frames.bin"),
    shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  const [one, other] = [bytes, shifted.subarray(3)].map((some) => decode(some).columns.map(({ row }) => [...row(4)]));
  assert.deepEqual(one, other);
});

test("colours are mixed in sRGB, with two digits each", () => {
  assert.equal(mix("#ffffff", "#000000", 0.5), "#808080");
  assert.equal(mix("#0a0b0c", "#ffffff", 1), "#0a0b0c");
  assert.equal(mix("#ff0000", "#0000ff", 0.25), "#4000bf");
});

test("captions are filled with numbers and with words for them", () => {
  assert.equal(fill("at {t} of {total}", { t: 3, total: 1000 }), "at 3 of 1000");
  assert.equal(fill("{x}", { x: -0.000123456 }), "−0.0001235");
  assert.equal(fill("{x} draws", { x: 123456 }), "123456 draws");
  assert.equal(fill("{x}", { x: 1e-9 }), "1e−9");
  assert.equal(fill("mean {x}.", { x: NaN }), "mean .");
  assert.equal(fill("R-hat {x}, {y}", { x: Infinity, y: -Infinity }), "R-hat ∞, −∞");
  const words = "{n:nobody|one person|people}";
  assert.deepEqual(
    [0, 1, 2, 9].map((n) => fill(words, { n })),
    ["nobody", "one person", "people", "people"],
  );
  assert.equal(fill("{n:|, with a word}", { n: 0 }), "");
});

test("columns become rows that know their place", () => {
  assert.deepEqual(rowsOf({ x: [1, 2], y: ["a", "b"] }), [
    { i: 0, x: 1, y: "a" },
    { i: 1, x: 2, y: "b" },
  ]);
});

test("a chart has the parameters that it names", () => {
  assert.equal(has({ params: [{ name: "frame" }] }, "frame"), true);
  assert.ok(!has({ params: [{ name: "frame" }] }, "lit"));
  assert.ok(!has({}, "frame"));
});

test("type grows with the page to a least size, and areas with its square", () => {
  globalThis.document = { documentElement: {} };
  globalThis.getComputedStyle = () => ({
    fontSize: "24px",
    getPropertyValue: (name) => (name === "--least" ? "1.25rem" : "2"),
  }); // three times, and 30 pixels at least
  const spec = {
    mark: { type: "point", size: 10, strokeWidth: 2 },
    encoding: { size: { value: 1 } },
    width: 10,
    layer: [{ fontSize: 11 }, { fontSize: 9 }, { fontSize: { expr: "width / 40" } }],
  };
  assert.deepEqual(typeScaled(spec), {
    mark: { type: "point", size: 90, strokeWidth: 6 },
    encoding: { size: { value: 1 } },
    width: 10,
    layer: [{ fontSize: 33 }, { fontSize: 30 }, { fontSize: { expr: "max(30, width / 40)" } }],
  });
  assert.equal(spec.mark.size, 10);
  assert.equal(configOf({ ink: "#000", soft: "#111", line: "#222" }).axis.labelFontSize, 36);
});

test("what lives on a root lives on, and an older build's ends", () => {
  class Kind {
    close() {
      this.closed = true;
    }
  }
  const root = {},
    one = living(root, Kind);
  assert.equal(living(root, Kind), one);
  root.living.build = "an older one";
  assert.notEqual(living(root, Kind), one);
  assert.equal(one.closed, true);
});
