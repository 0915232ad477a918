// What is shown while a film is fetched: no picture of another step, if this one's takes its time.

import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { Fetcher } from "../../../pages/player/fetching.js";

const at = (step) => ({ source: "coin?seed=7", link: `lesson=coin-draws&step=${step}`, at: 3, before: [], after: [] });

function slow(shown, wanted) {
  // a player that shows a step (null: none yet) and wants another one, whose film does not come
  const veils = [],
    player = { film: shown && {}, message: at(shown), bar: { say() {} }, veil: () => veils.push(fetcher.strange) },
    fetcher = new Fetcher(player);
  fetcher.begin("chain");
  return { veils, fetcher, opened: fetcher.opened(at(wanted)) };
}

suite("a film that takes its time", () => {
  const veilsOf = async (context, shown, wanted) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    context.mock.method(globalThis, "fetch", (_, { signal }) => {
      return new Promise((_, stop) => signal.addEventListener("abort", () => stop(signal.reason)));
    });
    const { veils, fetcher, opened } = slow(shown, wanted);
    context.mock.timers.tick(299);
    assert.deepEqual(veils, []);
    context.mock.timers.tick(1);
    fetcher.controller.abort();
    assert.equal(await opened, null);
    return veils;
  };

  test("of another step veils the picture", async (context) => {
    assert.deepEqual(await veilsOf(context, "one", "two"), [true]);
  });

  test("of the same step leaves its picture, which differs by a setting alone", async (context) => {
    assert.deepEqual(await veilsOf(context, "one", "one"), [false]);
  });

  test("of the first step has nothing to veil", async (context) => {
    assert.deepEqual(await veilsOf(context, null, "one"), [false]);
  });
});
