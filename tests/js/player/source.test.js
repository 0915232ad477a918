import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test, { afterEach, beforeEach, mock, suite } from "node:test";

import { Refused, fetched, speakFor } from "../../../pages/player/source.js";

const json = (found, status = 200) =>
  new Response(JSON.stringify(found), { status, headers: { "content-type": "application/json" } });
const text = (words, status) => new Response(words, { status, headers: { "content-type": "text/plain" } });
const turn = () => new Promise(setImmediate); // promises that are due are kept
let asked, said, stop;

function serve(...answers) {
  // one after the other; what is none is thrown
  asked = [];
  globalThis.fetch = async (address, options) => {
    asked.push({ address: String(address), ...options });
    const answer = answers[asked.length - 1];
    if (answer instanceof Response) return answer;
    throw answer;
  };
}

const ask = (what = "film", args = {}, read = undefined) =>
  fetched("coin?seed=7", what, args, (...words) => said.push(words), stop.signal, read);

async function later(milliseconds) {
  await turn();
  mock.timers.tick(milliseconds);
  await turn();
}

suite("player/source.js", () => {
  beforeEach(() => {
    [said, stop] = [[], new AbortController()];
    mock.timers.enable({ apis: ["setTimeout"] });
    mock.method(Math, "random", () => 0.5); // waits are as long as they are on average
  });
  afterEach(() => {
    stop.abort(); // what fails does not go on trying
    mock.reset();
  });

  test("what is asked for stands in the address, beside the modules, and whose page asks in a header", async () => {
    serve(json({ charts: [] }));
    speakFor("a session");
    assert.deepEqual(await ask("frames", { from: 0, to: 20 }), { charts: [] });
    assert.ok(asked[0].address.endsWith("/coin/frames?seed=7&from=0&to=20"), asked[0].address);
    assert.ok(!asked[0].address.includes("/pages/"), "two folders up");
    assert.deepEqual(asked[0].headers, { "x-session": "a session" });
    assert.deepEqual(said, [[null]]);
  });

  test("frames are decoded, and files handed on", async () => {
    const frames = readFileSync(`${process.env.WIRE}/frames.bin`);
    serve(new Response(frames, { headers: { "content-type": "application/octet-stream" } }), text("t,x", 200));
    assert.equal((await ask("frames")).head.count, 5);
    assert.equal(await ask("take", {}, (answer) => answer.text()), "t,x");
  });

  test("what is still computed is asked for again after the pause that the server names", async () => {
    serve(json({ said: "Making the first sweeps", pause: 400 }, 202), json({ done: true }));
    const answer = ask();
    await later(399);
    assert.equal(asked.length, 1);
    assert.deepEqual(said, [["Making the first sweeps"]]);
    await later(1);
    assert.deepEqual(await answer, { done: true });
    assert.deepEqual(said.at(-1), [null]);
  });

  test("what is refused is not asked for again, and says why", async () => {
    serve(text("There is no topic of that name.", 400));
    await assert.rejects(
      ask(),
      (error) => error instanceof Refused && error.message === "There is no topic of that name.",
    );
    assert.equal(asked.length, 1);
  });

  test("a lost connection is said, and tried again after longer and longer pauses", async () => {
    serve(new TypeError("no network"), text("", 502), text("", 429), json({ back: true }));
    const answer = ask();
    for (const [i, pause] of [250, 500, 1000].entries()) {
      await later(pause - 1);
      assert.equal(asked.length, i + 1);
      assert.deepEqual(said.at(-1), ["Connection lost: trying again", true]);
      await later(1);
      assert.equal(asked.length, i + 2);
    }
    assert.deepEqual(await answer, { back: true });
  });

  test("pauses grow to five seconds and no longer", async () => {
    serve(...new Array(9).fill(new TypeError("no network")));
    const answer = assert.rejects(ask(), { name: "AbortError" });
    for (const pause of [250, 500, 1000, 2000, 4000, 5000, 5000]) await later(pause);
    assert.equal(asked.length, 8);
    stop.abort();
    await answer;
  });

  test("who stops waiting is not answered, and asks no more", async () => {
    serve(json({ said: "…", pause: 400 }, 202), json({}));
    const answer = assert.rejects(ask(), { name: "AbortError" });
    await turn();
    stop.abort();
    await answer;
    await later(1000);
    assert.equal(asked.length, 1);
  });
});
