import assert from "node:assert/strict";
import test from "node:test";

import { AS_PICTURES, shadesOf } from "../../../pages/player/cells.js";

const scaled = (/** @type {string} */ field) => ({ scale: field, field });
const rects = (/** @type {string} */ name) => ({
  name,
  type: "rect",
  clip: true,
  from: { data: "d" },
  encode: { update: { fill: { scale: "color", field: "v" }, x: scaled("x"), x2: scaled("x2"), y: scaled("y") } },
});

test("a layer of cells is one picture, below the same marks, and in the colours of its scale", () => {
  const scales = [{ name: "color", domain: [-1, 0, 1], range: ["#ff0000", { signal: "paper" }, "#0000ff"] }],
    { data, marks } = AS_PICTURES.patch({
      data: [],
      marks: [rects("cells_3_map_marks"), rects("tiles_marks")],
      scales,
    });
  assert.deepEqual(
    marks.map(({ type, from }) => [type, from?.data]),
    [
      ["image", "cells_3_map_marks_picture"],
      ["rect", "d"],
    ],
  );
  const [{ source, transform }] = /** @type {any[]} */ (data);
  assert.equal(source, "d");
  assert.equal(transform[1].expr, `cells(datum.cells, 3, [-1,0,1], ["#ff0000",paper,"#0000ff"])`);
});

test("colours between those of a domain are mixed, and those beyond it are the last", () => {
  const shade = shadesOf([-1, 0, 1], ["#ff0000", "#ffffff", "#0000ff"]);
  assert.deepEqual(shade(-1), [255, 0, 0, 255]);
  assert.deepEqual(shade(0), [255, 255, 255, 255]);
  assert.deepEqual(shade(0.5), [127.5, 127.5, 255, 255]);
  for (const [beyond, last] of [
    [-7, -1],
    [7, 1],
  ])
    assert.deepEqual(shade(beyond), shade(last));
});
