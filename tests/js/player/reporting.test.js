import assert from "node:assert/strict";
import test, { afterEach, beforeEach, mock, suite } from "node:test";

import { Reporter } from "../../../pages/player/reporting.js";
import { START } from "../../../pages/player/transport.js";
import { page } from "../page.js";

let player, reporter, sent, pressed;

const numbers = () => sent.map((reports) => reports.map(({ number }) => number));

function press(path = [document]) {
  // somebody presses on the page; true if it comes at once
  const event = Object.assign(new Event("click", { cancelable: true }), { composedPath: () => path });
  return document.dispatchEvent(event);
}

suite("player/reporting.js", () => {
  beforeEach(() => {
    page();
    globalThis.history = { state: null };
    mock.timers.enable({ apis: ["setTimeout"] });
    [sent, pressed] = [[], []];
    player = {
      root: { isConnected: true },
      film: { described: { chain: "a" } },
      state: { ...START, t: 3, total: 100 },
      message: { source: "coin?seed=7", link: "seed=7" },
      leading: { quiet: false, untold: false },
      resting: { stir() {} },
      fetcher: { settled: () => pressed.push("settled") },
      painter: { held: null },
      still: { matches: false },
      do: () => [],
    };
    reporter = new Reporter(player);
    reporter.post = (_, reports) => sent.push(reports);
    reporter.note = () => {};
  });
  afterEach(() => mock.reset());

  test("a report is told again, after longer and longer pauses, until it is heard", () => {
    reporter.send("turn", { by: 1 });
    assert.deepEqual(sent, [[{ kind: "turn", number: 1, chain: "a", by: 1 }]]);
    mock.timers.tick(2000);
    mock.timers.tick(3999);
    assert.equal(sent.length, 2);
    mock.timers.tick(1);
    assert.equal(sent.length, 3);
    reporter.acknowledge(1);
    mock.timers.tick(60_000);
    assert.equal(sent.length, 3);
  });

  test("what was not heard goes along with the next report, but of rests the last alone", () => {
    for (const t of [1, 2]) reporter.send("rest", { t });
    reporter.send("zoom", { level: "1", t: 2 });
    assert.deepEqual(numbers(), [[1], [2], [2, 3]]);
    reporter.acknowledge(2);
    reporter.send("turn", { by: 1 });
    assert.deepEqual(numbers().at(-1), [3, 4]);
  });

  test("numbers go on where an earlier page's ended", () => {
    reporter.acknowledge(40);
    assert.equal(reporter.send("turn", { by: 1 }), 41);
  });

  test("a press right after a report comes in a turn of its own", () => {
    const target = Object.assign(new EventTarget(), { isConnected: true });
    target.addEventListener("click", () => pressed.push("press"));
    reporter.send("turn", { by: 1 });
    assert.equal(press([target]), false, "it waits");
    assert.deepEqual(pressed, []);
    mock.timers.tick(1);
    assert.deepEqual(pressed, ["press"]);
  });

  test("a report right after a press comes two turns later", () => {
    assert.equal(press(), true);
    reporter.send("turn", { by: 1 });
    assert.deepEqual(sent, []);
    for (let turn = 0; turn < 5 && !sent.length; turn++) mock.timers.tick(1);
    assert.equal(sent.length, 1);
  });

  test("before a press, a rest that is told soon is told at once", () => {
    Object.assign(reporter, { restedAt: performance.now() });
    reporter.rest();
    assert.deepEqual(sent, []);
    press();
    assert.deepEqual(sent[0][0], { kind: "rest", number: 1, chain: "a", t: 3 });
    assert.equal(reporter.telling, null);
  });

  test("where the player rests is told once, and not while it moves or a class moves it", () => {
    player.state.playing = true;
    reporter.rest();
    player.state.playing = false;
    player.leading.quiet = true;
    reporter.rest();
    assert.deepEqual(sent, []);
    player.leading.quiet = false;
    reporter.rest();
    reporter.rest();
    assert.equal(sent.length, 1);
    assert.deepEqual(pressed, ["settled", "settled", "settled"]);
  });

  test("where the player rested is not told, or told again, once Back or Forward has left that place", () => {
    reporter.send("rest", { t: 2 });
    Object.assign(reporter, { restedAt: performance.now() });
    reporter.rest();
    history.state = { place: "crp-seating first" };
    reporter.onback({ isTrusted: true });
    press();
    mock.timers.tick(60_000);
    assert.deepEqual(numbers(), [[1]]);
    history.state = { place: "null null" };
    reporter.rest();
    press();
    assert.deepEqual(numbers(), [[1], [2]], "but after Python's answer");
  });

  test("a player that is gone says nothing", () => {
    reporter.close();
    player.root.isConnected = false;
    reporter.send("turn", { by: 1 });
    assert.deepEqual(sent, []);
    assert.equal(press(), true);
  });
});
