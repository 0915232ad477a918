import assert from "node:assert/strict";
import test from "node:test";

import { Fold, giving } from "../../../pages/player/fold.js";
import { page } from "../page.js";

test("the picture gives what cards lack, up to an end, and takes nothing back of what it gave before", () => {
  assert.deepEqual(
    [
      [-50, 0, 0],
      [30, 0, 0],
      [-50, 30, 30],
      [20, 30, 30],
      [500, 0, 0],
    ].map((all) => giving(...all, false)),
    [0, 30, 30, 50, 94],
  );
  assert.equal(giving(-60, 90, 20, false), 30, "cards that have just come may lack less than it seemed");
});

test("to a list that it could not bring onto the screen it gives nothing", () => {
  assert.equal(giving(500, 30, 30, true), 30);
  assert.equal(giving(60, 0, 0, true), 60);
});

test("an answer leaves the picture as large as it was when the question was asked", () => {
  page();
  const style = { value: "", getPropertyValue: () => style.value, setProperty: (_, value) => (style.value = value) },
    seen = { ".st-key-question .st-key-check": {} };
  Object.assign(document, { documentElement: { style }, querySelector: (what) => seen[what] ?? null });
  Object.assign(globalThis, { innerWidth: 1280, innerHeight: 800 });
  const fold = new Fold();
  assert.equal(fold.fit("a step", false), false);
  const cards = { getBoundingClientRect: () => ({ height: 200, bottom: 850 }) };
  Object.assign(seen, { ".st-key-question .st-key-check": null, ".st-key-inspector": cards });
  fold.fit("a step", false);
  assert.equal(style.value, "", "cards that came with the answer take nothing");
  fold.fit("another step", false);
  assert.equal(style.value, "50px");
  seen[".st-key-question .st-key-check"] = {};
  fold.fit("a share", true);
  assert.equal(style.value, "94px", "the bar leaves its room to the cards");
});
