import assert from "node:assert/strict";
import { beforeEach, suite, test } from "node:test";
import { deflateSync } from "node:zlib";

import { memory, page } from "../page.js";

Object.assign(page(), { getElementById: () => null });
const { COURSE, given } = await import("../../../pages/publish/packs.js");
const { takeIn } = await import("../../../pages/publish/handed.js");
const { all, askAgain, give, leaveAt, leftAt, triesOf } = await import("../../../pages/publish/store.js");

const answers = ["a", "b"].map((key) => ({ key, words: key, right: key === "a" }));
const question = { options: answers, answers, rule: null };
const LESSON = { id: "coin", steps: [{ id: "first", version: "1", goals: [], question }] };

suite("a learner's work in a published course", () => {
  beforeEach(() => {
    globalThis.localStorage = memory();
  });

  test("the first answer stays beside the last one, and tries are counted", () => {
    give("coin/first", ["b"]);
    give("coin/first", ["a"]);
    assert.deepEqual(all()["coin/first"], ["a"]);
    const { tries, first } = triesOf("coin/first");
    assert.deepEqual([tries, first], [2, ["b"]]);
    assert.deepEqual(triesOf("coin/second"), {});
  });

  test("who is asked again has no answer and no place, but her tries", () => {
    give("coin/first", ["b"]);
    leaveAt("coin", "second");
    assert.equal(leftAt("coin"), "second");
    askAgain("coin", ["first", "second"]);
    assert.equal(leftAt("coin"), undefined);
    assert.deepEqual(Object.keys(all()), [".tries/coin/first"]);
  });

  test("what is no answer is passed over", () => {
    for (const text of ["[]", "[1]", "null", "7", "not JSON"]) {
      localStorage.setItem("samplescope answer coin/first", text);
      assert.deepEqual(all(), {});
    }
  });

  suite("a file from another browser", () => {
    const file = (answer, more = {}) =>
      JSON.stringify({ samplescope: "work", schema: 1, answers: [{ lesson: "coin", step: "first", answer, ...more }] });

    beforeEach(() => {
      Object.assign(page(), { createElement: () => ({}) }); // of which words are asked
      Object.assign(COURSE, { sections: [{ lessons: [{ id: "coin", file: "coin", questions: ["first"] }] }] });
      given({ coin: deflateSync(JSON.stringify(LESSON)).toString("base64") });
    });

    test("of two answers the right one stays, else the later one", async () => {
      assert.match(await takeIn(file(["b"])), /^1 of 1 /);
      assert.match(await takeIn(file(["a"])), /^1 of 1 /);
      assert.match(await takeIn(file(["b"], { at: "2999-01-01T00:00:00Z" })), /^0 of 1 /);
      assert.deepEqual(all()["coin/first"], ["a"]);
      assert.match(await takeIn(file(["a"], { tries: 3, began: "2998", at: "2999", first: ["b"] })), /^1 of 1 /);
      assert.equal(triesOf("coin/first").tries, 3);
    });

    test("what is none of ours changes nothing and is said", async () => {
      for (const text of ["", "{}", "[]", "null", JSON.stringify({ samplescope: "work", schema: 2, answers: [] })])
        assert.match(await takeIn(text), /not a “My work” file/);
      for (const bad of [file([]), file([1]), file("a"), file(["a"]).replace("first", "second")])
        assert.match(await takeIn(bad), /^0 of 1 /);
      assert.deepEqual(all(), {});
    });
  });
});
