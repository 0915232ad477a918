import assert from "node:assert/strict";
import test from "node:test";

import { picksIn, seenIn } from "../../../pages/player/seen.js";
import { sentenceOf, tablesOf } from "../../../pages/player/telling.js";

const COLORS = { ink: "#1C2530", soft: "#555", line: "#DDD", paper: "#FFF", accent: "#1F6F78" };

// a scale of numbers, as d3's: from a domain to pixels and back
function linear(low, high, from, to) {
  const scale = (value) => from + ((value - low) / (high - low)) * (to - from);
  return Object.assign(scale, {
    domain: () => [low, high],
    invert: (place) => low + ((place - from) / (to - from)) * (high - low),
  });
}
const band = (names) => Object.assign((name) => 10 * names.indexOf(name), { domain: () => names, bandwidth: () => 10 });

const axis = (scale, title, ...labels) => ({
  marktype: "group",
  role: "axis",
  items: [
    {
      datum: { scale },
      items: [
        { marktype: "text", role: "axis-label", items: labels.map((text) => ({ text, fill: "#555" })) },
        { marktype: "text", role: "axis-title", items: [{ text: title, datum: { scale } }] },
      ],
    },
  ],
});
const marks = (marktype, ...items) => ({ marktype, role: "mark", items });
const seen = (parts, { x = null, y = null, legend = [], title = "Chart" } = {}) =>
  seenIn(
    { marktype: "group", items: [{ items: parts }] },
    { title, legend, colors: COLORS, scale: (name) => ({ x, y })[name] },
  );
const told = (...words) => sentenceOf(seen(...words));

const table = (name, customers, look = {}) => ({
  fill: "#3B6FB6",
  datum: { table: name, mark: `table-${name}` },
  tooltip: { table: name, customers: `${customers}` },
  ...look,
});

test("marks are told as the pointer is told of them, in order, and once", () => {
  const tables = marks("symbol", table(10, 1), table(2, 8), table(2, 8));
  assert.equal(told([tables]), "2 tables: 2 (customers 8), 10 (customers 1).");
  assert.equal(told([marks("symbol", table(1, 3))]), "1 table: 1 (customers 3).");
});

test("a row and the columns that it has are told together", () => {
  const cell = (customer, dish) => ({ fill: "#555", tooltip: { customer: `${customer}`, dish: `${dish}` } });
  const cells = marks("rect", cell(10, 1), cell(2, 1), cell(2, 3));
  assert.equal(told([cells]), "2 customers: 2 (dish 1, 3), 10 (dish 1).");
});

test("parts of stacked bars are a series for each name", () => {
  const part = (hour, state, share) => ({ fill: "#555", tooltip: { hour, state, share } });
  const bars = Array.from({ length: 9 }, (_, i) => [part(`${i + 1}`, "1", `${10 * i}%`), part(`${i + 1}`, "2", "0%")]);
  const [first, second] = seen([marks("rect", ...bars.flat())]).lines;
  assert.deepEqual(
    [first.name, first.points[1], first.points.length, second.name],
    ["state 1", ["hour 2", 10], 9, "state 2"],
  );
  assert.equal(
    told([marks("rect", ...bars.flat())]),
    "state 1: from 0 at hour 1 to 80 at hour 9. state 2: 0 from hour 1 to hour 9.",
  );
});

test("where a mark is along a labelled axis is told with it", () => {
  const left = marks("symbol", table(1, 3, { x: X(-0), y: 0 }), table(2, 4, { x: X(12.3456), y: 0 })),
    parts = [AXES[0], left];
  assert.equal(told(parts, { x: X }), "2 tables: 1 (customers 3, sweeps 0), 2 (customers 4, sweeps 12.3).");
  const root = { marktype: "group", items: [{ items: parts }] };
  assert.equal(picksIn(root, "table", { scale: () => X })[1].text, "table 2, customers 4, sweeps 12.3");
});

test("what is not to be seen is not told", () => {
  const hidden = [{ opacity: 0 }, { fill: "transparent" }, { fill: undefined }, { fillOpacity: 0 }];
  assert.equal(told([marks("symbol", ...hidden.map((look, i) => table(i, 1, look)))]), "Nothing is drawn yet.");
  assert.deepEqual(picksIn(marks("symbol", table(1, 1, { opacity: 0 })), "table", { scale: () => null }), []);
});

test("many marks are counted by what is told of them", () => {
  const points = [...Array(20).keys()].map((i) => table(i, i < 15 ? 1 : 4));
  assert.equal(told([marks("symbol", ...points)]), "20 tables; customers 1: 15, customers 4: 5.");
  const shares = [...Array(20).keys()].map((i) => table(i, `${5 * i} %`.replace(" ", "")));
  assert.equal(told([marks("symbol", ...shares)]), "20 tables; customers 0 to 95.");
});

const X = linear(0, 100, 0, 200),
  Y = linear(0, 10, 100, 0),
  AXES = [axis("x", "sweeps", "0", "100"), axis("y", "tables", "0", "10")];
const line = (stroke, points, look = {}) =>
  marks("line", ...points.map(([x, y]) => ({ stroke, x: X(x), y: Y(y), ...look })));

test("a line is told by the legend's name, as finely as it is read off an axis", () => {
  const legend = [
    { mark: "accent", text: "this run" },
    { mark: "dashed", text: "exact" },
  ];
  const lines = [
    line("rgb(31, 111, 120)", [
      [0, 1],
      [40, 7.123456],
      [100, 3],
    ]),
    line(
      "#1c2530",
      [
        [0, 2],
        [100, 2],
      ],
      { strokeDash: [6, 4] },
    ),
    line("#D1495B", [
      [0, 9],
      [100, 9],
    ]),
  ];
  assert.equal(
    told([...AXES, ...lines], { x: X, y: Y, legend }),
    "this run: from 1 at sweeps 0 to 3 at sweeps 100, highest 7.12 at sweeps 40. exact: 2 from sweeps 0 to 100.",
  );
});

test("the only line of a chart without a legend has the chart's name", () => {
  const lines = [
    line("#000", [
      [0, 1],
      [100, 2],
    ]),
  ];
  assert.equal(
    told([...AXES, ...lines], { x: X, y: Y, title: "Log joint" }),
    "Log joint: from 1 at sweeps 0 to 2 at sweeps 100.",
  );
});

test("heights along an axis without labels are not told, nor lines that go back", () => {
  const peak = line("#000", [
    [0, 1],
    [60, 9],
    [100, 2],
  ]);
  const ring = line("#000", [
    [40, 1],
    [60, 9],
    [40, 2],
  ]);
  assert.equal(told([AXES[0], peak], { x: X, y: Y }), "Chart: highest at sweeps 60.");
  assert.equal(told([...AXES, ring], { x: X, y: Y }), "");
});

test("bars are told by their places, in percent where the axis is", () => {
  const x = band(["12|3", "123"]),
    y = linear(0, 1, 100, 0);
  const bars = marks(
    "rect",
    ...["12|3", "123"].map((name, i) => ({
      fill: COLORS.accent,
      x: x(name),
      width: 10,
      y: y(0.25 * i),
      height: 100 - y(0.25 * i),
    })),
  );
  const chart = { x, y, legend: [{ mark: "block", text: "visits" }] };
  assert.equal(told([axis("x", "", "12|3", "123"), axis("y", "", "0%", "100%"), bars], chart), "visits: 123 has 25 %.");
  const { bars: found } = seen([axis("x", "clustering", "123"), axis("y", "", "100%"), bars], chart);
  assert.deepEqual(found, [
    {
      name: "visits",
      points: [
        ["12|3", 0],
        ["123", 25],
      ],
    },
  ]);
});

test("what is written is told row by row, without what marks have told", () => {
  const word = (text, x, y, datum = {}) => ({ text, x, y, fill: "#000", datum });
  const texts = marks(
    "text",
    word("win", 9, 1),
    word("2", 1, 2),
    word("free", 3, 30),
    word("2", 4, 60, { mark: "table-2" }),
  );
  assert.equal(told([texts, marks("symbol", table(2, 8))]), "1 table: 2 (customers 8). written: win, free.");
  assert.equal(told([texts]), "written: 2 win, free, 2.");
});

test("tables hold all that is told", () => {
  const run = line("#000", [
    [0, 1],
    [100, 2],
  ]);
  assert.deepEqual(tablesOf(seen([...AXES, run, marks("symbol", table(1, 3))], { x: X, y: Y })), [
    { heads: ["table", "customers", "sweeps"], rows: [["1", "3", "0"]] },
    {
      heads: ["sweeps", "Chart"],
      rows: [
        ["0", "1"],
        ["100", "2"],
      ],
    },
  ]);
});

test("marks that can be picked are named by what is told of them, else by what is written on them", () => {
  const root = {
    marktype: "group",
    items: [
      {
        items: [
          marks("symbol", table(2, 8), table(1, 1)),
          marks("text", { text: "topic 1", fill: "#000", datum: { table: 3 } }),
          marks("rect", { fill: "#000", datum: { table: 4 } }),
        ],
      },
    ],
  };
  assert.deepEqual(
    picksIn(root, "table", { scale: () => null }).map(({ value, text, mark }) => [value, text, mark]),
    [
      ["1", "table 1, customers 1", "table-1"],
      ["2", "table 2, customers 8", "table-2"],
      ["3", "topic 1", ""],
      ["4", "table 4", ""],
    ],
  );
});
