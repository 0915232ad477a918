import assert from "node:assert/strict";
import test, { beforeEach, suite } from "node:test";

import { memory, page } from "../page.js";

page();
const { isLost, isOurs, newsOf, read, shelfHere, spokenIn, write } = await import("../../../pages/lesson/store.js");

suite("lesson/store.js", () => {
  beforeEach(() => {
    globalThis.localStorage = memory();
  });

  test("answers are kept one by one, and read with their names", () => {
    write("coin/two", ["a", "b"]);
    write(".left/coin", ["three"]);
    localStorage.setItem("another app's", "[1]");
    assert.deepEqual(read(), { "coin/two": ["a", "b"], ".left/coin": ["three"] });
    write("coin/two", null);
    assert.deepEqual(read(), { ".left/coin": ["three"] });
  });

  test("a tab that leads a class has the class's answers, and the learner's own are neither read nor written", () => {
    globalThis.sessionStorage = memory();
    write("coin/one", ["mine"]);
    assert.equal(shelfHere(), "");
    for (const [role, shelf] of [
      ["leads", "KX7M2PQ9"],
      ["shows", "KX7M2PQ9"],
      ["learns", ""],
    ]) {
      sessionStorage.setItem("samplescope class", "KX7M2PQ9");
      sessionStorage.setItem("samplescope class role", role);
      assert.equal(shelfHere(), shelf);
    }
    write("coin/two", ["right"], "KX7M2PQ9");
    assert.deepEqual(read("KX7M2PQ9"), { "coin/two": ["right"] });
    assert.deepEqual(read("AAAABBBB"), {});
    assert.deepEqual(read(), { "coin/one": ["mine"] });
  });

  test("what is not ours hinders nothing", () => {
    localStorage.setItem("samplescope answer broken", "{");
    write("coin/two", ["a"]);
    assert.deepEqual(read(), { "coin/two": ["a"] });
  });

  test("no more is read than a message can have", () => {
    write("a/1", ["x".repeat(60_000)]);
    write("a/2", ["x".repeat(60_000)]);
    assert.deepEqual(Object.keys(read()), ["a/1"]);
  });

  test("a browser that keeps nothing, or has no room, is no hindrance", () => {
    globalThis.localStorage = memory(true);
    write("a/1", ["x"]);
    assert.deepEqual(read(), {});
    Object.defineProperty(globalThis, "localStorage", { configurable: true, writable: true, value: undefined });
    write("a/1", ["x"]);
    assert.deepEqual(read(), {});
  });

  test("each change is written once, in the order in which it was made", () => {
    const changes = { "a/1": [3, ["x"]], "a/2": [1, ["y"]], "a/3": [2, null] };
    assert.deepEqual(
      newsOf(changes, 0).map(([name]) => name),
      ["a/2", "a/3", "a/1"],
    );
    assert.deepEqual(newsOf(changes, 2), [["a/1", [3, ["x"]]]]);
    assert.deepEqual(newsOf(changes, 3), []);
  });

  test("a part's key names its language and its direction", () => {
    assert.deepEqual(spokenIn("stVerticalBlock st-key-in_ar_rtl_body"), ["ar", "rtl"]);
    assert.deepEqual(spokenIn("st-key-in_pt-BR_ltr_title other"), ["pt-BR", "ltr"]);
    assert.deepEqual(spokenIn("st-key-inspector"), []);
    assert.deepEqual(spokenIn("my-st-key-in_ar_rtl_body"), []);
  });

  test("pages beside the one that is open are ours, and nothing else", () => {
    const place = new URL("https://uni.example/course/coin?t=3");
    for (const path of ["gibbs_text?seed=1", "", "./walk_the_hill#end"])
      assert.ok(isOurs(new URL(path, place).href, place), path);
    for (const path of [
      "/gibbs_text",
      "/other/coin",
      "app/static/a.pdf",
      "lesson.md",
      "https://elsewhere.example/course/coin",
    ])
      assert.ok(!isOurs(new URL(path, place).href, place), path);
  });
});

test("a page of which Streamlit has lost a part is known by what it says", () => {
  const [node, index] = ["Cannot set a node at a delta path", "Bad delta path index 2 (should be between [0, 1])"];
  assert.deepEqual([node, `Uncaught Error: ${index}`, "Script error."].map(isLost), [true, true, false]);
});
