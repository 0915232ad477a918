import assert from "node:assert/strict";
import test from "node:test";

import { Pointing, lightOf, markOf } from "../../../pages/player/pointing.js";

const within = (found) => ({ closest: () => found }); // an element in another

test("what is pointed at has the name of the element around it, or of its link", () => {
  assert.equal(markOf(within({ dataset: { mark: "new" } })), "new");
  assert.equal(markOf(within({ dataset: {}, getAttribute: () => "#mark:old-3" })), "old-3");
  assert.equal(markOf(within({ dataset: { mark: "" } })), "");
});

test("nothing that is named is nothing", () => {
  assert.equal(markOf(within(null)), "");
  assert.equal(markOf({}), "", "the document has no ancestors");
});

test("a name is lit on cards and in links, whatever is in it", () => {
  assert.match(lightOf("new"), /^\[data-mark="new"\], a\[href="#mark:new"\] \{/);
  assert.match(lightOf('a"]'), /^\[data-mark="a\\"\]"\], a\[href="#mark:a\\"\]"\] \{/);
  assert.equal(lightOf(""), "");
});

test("what a finger taps on a chart is lit, as what a mouse is over", () => {
  const heard = {},
    lit = [];
  const pointing = Object.assign(Object.create(Pointing.prototype), { to: (mark) => lit.push(mark) });
  pointing.watch({ addEventListener: (kind, hear) => (heard[kind] = hear) });
  heard.touchstart({}, { datum: { mark: "draw-3" } });
  heard.pointerover({}, { datum: { mark: "draw-4" } });
  heard.touchstart({}, null);
  assert.deepEqual(lit, ["draw-3", "draw-4", ""]);
});
