import assert from "node:assert/strict";
import test from "node:test";

import { counted, minus, plainCode, remember, remembered, spelt, typed } from "../../../pages/classroom/drawing.js";
import { memory } from "../page.js";

test("a code is read as people write it", () => {
  assert.equal(spelt("KX7M2PQ9"), "KX7M-2PQ9");
  assert.equal(plainCode(" kx7m – 2pq9"), "KX7M2PQ9");
  assert.equal(plainCode(spelt("KX7M2PQ9")), "KX7M2PQ9");
  assert.equal(typed(new URL("https://a-b.example/course/")), "a‑b.example/course");
});

test("one is one, and none are many", () => {
  assert.deepEqual(
    [0, 1, 2].map((number) => counted(number, "answer")),
    ["0 answers", "1 answer", "2 answers"],
  );
  assert.equal(counted(2, "person", "people"), "2 people");
});

test("a minus is a minus", () => {
  assert.equal(minus(-1.5), "−1.5");
  assert.equal(minus(3), "3");
});

test("what is remembered is kept until it is forgotten", () => {
  const kept = memory();
  remember(() => kept, "name", "Ada");
  assert.equal(kept.name, "Ada");
  kept.name = "Grace"; // by another tab
  assert.equal(
    remembered(() => kept, "name"),
    "Grace",
  );
  remember(() => kept, "name", null);
  assert.deepEqual(Object.keys(kept), []);
  assert.equal(
    remembered(() => kept, "name"),
    null,
  );
});

test("a browser that keeps nothing is no hindrance", () => {
  const blocked = () => {
    throw new Error("SecurityError");
  };
  assert.equal(remembered(blocked, "led"), null);
  remember(blocked, "led", "KX7M2PQ9");
  assert.equal(remembered(blocked, "led"), "KX7M2PQ9");
  remember(blocked, "led", null);
  assert.equal(remembered(blocked, "led"), null);
});
