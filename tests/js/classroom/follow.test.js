import assert from "node:assert/strict";
import test, { afterEach, beforeEach, mock, suite } from "node:test";

import { Follows, Shows, alike, withOwn } from "../../../pages/classroom/follow.js";
import { samePlace } from "../../../pages/classroom/round.js";
import { page, tell } from "../page.js";

suite("classroom/follow.js", () => {
  beforeEach(() => {
    page();
    mock.timers.enable({ apis: ["setTimeout"] });
  });
  afterEach(() => mock.reset());

  test("links may say the same in other words", () => {
    assert.ok(alike("a=1&b=x", "b=x&a=1.0"));
    assert.ok(alike("a=%C3%A4+b", "a=ä%20b"));
    assert.ok(!alike("a=1", "a=1&b="));
    assert.ok(!alike("a=", "a=0"), "nothing is no number");
    assert.ok(!alike("a=1e3", "a=1001"));
  });

  test("a run of one's own has its own values in the link, and all others as they are", () => {
    assert.equal(withOwn("seed=7&bias=0.5", { seed: 12 }), "seed=12&bias=0.5");
    assert.equal(withOwn("seed=7", { bias: "0.3" }), "seed=7&bias=0.3");
  });

  test("a place is a lesson's step, whatever else is in its link", () => {
    const round = { lesson: "coin", step: "two" };
    assert.ok(samePlace({ query: "seed=7&step=two&lesson=coin" }, round));
    assert.ok(!samePlace({ query: "lesson=coin&step=three" }, round));
    assert.ok(!samePlace({ query: "lesson=other&step=two" }, round));
    assert.ok(!samePlace({}, round));
    assert.ok(!samePlace(null, round));
  });

  test("what an instructor shows is said at once, and of what follows the latest, as often as the class can take it", () => {
    const said = [],
      shows = new Shows(({ show }) => said.push(show.t));
    for (const t of [1, 2, 3]) tell("samplescope:here", { page: "coin", t });
    assert.deepEqual(said, [1]);
    mock.timers.tick(60);
    assert.deepEqual(said, [1, 3]);
    mock.timers.tick(600);
    assert.deepEqual(said, [1, 3], "nothing twice");
    shows.again();
    assert.deepEqual(said, [1, 3, 3], "but after the connection was lost");
  });

  test("what could not be said is said later, and a player without a film shows nothing", () => {
    const said = [],
      shows = new Shows(({ show }) => open && said.push(show.t));
    let open = false;
    tell("samplescope:here", { page: "coin", t: 1 });
    open = true;
    shows.again();
    assert.deepEqual(said, [1]);
    mock.timers.tick(60);
    tell("samplescope:here", { page: undefined, t: 2 });
    shows.again();
    assert.deepEqual(said, [1]);
  });

  test("a press that plays leaves the class before anything has moved, and one that changes nothing does not", () => {
    const shown = { page: "coin", query: "seed=7", t: 3, playing: false, speed: 1 },
      told = [],
      follows = new Follows(() => told.push("left"));
    tell("samplescope:here", shown);
    follows.show(shown);
    follows.press = { at: performance.now(), from: shown };
    tell("samplescope:here", { ...shown });
    assert.deepEqual(told, []);
    tell("samplescope:here", { ...shown, playing: true });
    assert.deepEqual(told, ["left"]);
    follows.close();
  });
});
