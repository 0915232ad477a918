import assert from "node:assert/strict";
import test, { beforeEach, suite } from "node:test";

import { Leading } from "../../../pages/player/leading.js";
import { START, reduced } from "../../../pages/player/transport.js";
import { heard, page, tell } from "../page.js";

let player, done, leading;

suite("player/leading.js", () => {
  beforeEach(() => {
    page();
    done = [];
    player = {
      do(event) {
        done.push(Object.values(event));
        [player.state] = reduced(player.state, event, { last: 400, still: false, led: true });
      },
      poster: false,
      page: "coin",
      film: {},
      message: { source: "coin?seed=7", link: "seed=7" },
      state: { ...START, t: 10, total: 100 },
      last: 400,
      painter: { held: null },
      root: { isConnected: true },
    };
    leading = new Leading(player);
  });

  test("one step on is walked; all else is jumped to", () => {
    const there = player.state;
    for (const t of [11, 13, 9, 10]) {
      tell("samplescope:lead", { t, playing: false, speed: 2 });
      player.state = there;
    }
    assert.deepEqual(done, [
      ["walk", 11],
      ["settle", 13],
      ["settle", 9],
    ]);
  });

  test("nothing is beyond the end of this run", () => {
    tell("samplescope:lead", { t: 500, playing: false, speed: 2 });
    assert.deepEqual(done, [["settle", 100]]);
  });

  test("a film that plays is followed at its speed, and put right when it is more than a second off", () => {
    tell("samplescope:lead", { t: 12, playing: true, speed: 5 });
    assert.deepEqual(done, [["play", 5]]);
    tell("samplescope:lead", { t: 15, playing: true, speed: 5 });
    assert.equal(done.length, 1, "within a second");
    tell("samplescope:lead", { t: 16, playing: true, speed: 5 });
    assert.deepEqual(done.slice(1), [
      ["jump", 16],
      ["play", 5],
    ]);
  });

  test("who is let go of is led no more", () => {
    tell("samplescope:lead", { t: 10, playing: false, speed: 2 });
    assert.equal(leading.led, true);
    tell("samplescope:lead", null);
    assert.equal(leading.led, false);
    assert.deepEqual(done, []);
  });

  test("an own run is walked to if it is near, and jumped to if it is far", () => {
    tell("samplescope:run", 60);
    player.state = { ...START, t: 10, total: 400 };
    tell("samplescope:run", 191);
    assert.deepEqual(done, [["halt"], ["walk", 60], ["halt"], ["settle", 191]]);
  });

  test("a class is told of what changes, and of nothing twice", () => {
    const told = heard("samplescope:here");
    leading.tell();
    assert.deepEqual(told, [], "nobody listens");
    document.documentElement.dataset.class = "leads";
    leading.tell();
    leading.tell();
    assert.deepEqual(told, [{ page: "coin", query: "seed=7", t: 10, playing: false, speed: 2 }]);
    player.state = { ...player.state, goal: 11 };
    leading.tell();
    assert.equal(told.at(-1).t, 11, "where it is going to");
    tell("samplescope:where");
    assert.equal(told.length, 3);
  });

  test("while it plays, where it is follows from where it was", () => {
    const told = heard("samplescope:here");
    document.documentElement.dataset.class = "leads";
    player.state = { ...player.state, playing: true };
    leading.tell();
    player.state = { ...player.state, t: 12 };
    leading.tell();
    assert.equal(told.length, 1);
    player.state = { ...player.state, hurry: 15 };
    leading.tell();
    assert.equal(told.at(-1).speed, 15);
  });

  test("who has left the page hears nothing", () => {
    leading.close();
    tell("samplescope:lead", { t: 13, playing: false, speed: 2 });
    assert.deepEqual(done, []);
  });
});
