import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { page } from "../page.js";

Object.assign(page(), { getElementById: () => null });
const { found, resumed, statusOf, suspended, timespan } = await import("../../../pages/publish/scorm.js");
const { statement } = await import("../../../pages/publish/xapi.js");
const { nearest } = await import("../../../pages/publish/step.js");

suite("a course in a learning platform", () => {
  test("what is kept comes back, and is never too long", async () => {
    const few = { "one/a": ["Ein Drittel — ⅓"], ".tries/one/a": ["2", "", "", "x"] };
    assert.deepEqual(await resumed(await suspended(few)), few);
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`lesson-${i}/s`, [String(Math.sin(i))]]));
    const text = await suspended(many);
    assert.ok(text.length <= 4096);
    const left = Object.keys(await resumed(text));
    assert.ok(left.length > 50);
    assert.equal(left.at(-1), "lesson-899/s"); // the latest stay
    assert.deepEqual(await resumed("not ours"), {});
  });

  test("the platform is a few windows away, or nowhere", () => {
    const API = {},
      top = { API };
    const inner = { parent: { parent: top } };
    assert.equal(found(inner), API);
    const alone = {};
    alone.parent = alone;
    assert.equal(found(alone), null);
    assert.equal(
      found({
        ...alone,
        opener: inner,
        get parent() {
          return this;
        },
      }),
      API,
    );
  });

  test("a lesson is passed or failed once it is done, if the platform says from where on", () => {
    const half = { right: 1, many: 2, done: true };
    assert.equal(statusOf({ ...half, done: false }, "50"), "incomplete");
    assert.deepEqual([statusOf(half, "50"), statusOf(half, "60")], ["passed", "failed"]);
    assert.deepEqual(
      [statusOf(half, ""), statusOf({ right: 0, many: 0, done: true }, "60")],
      ["completed", "completed"],
    );
  });

  test("a span of time is written as SCORM has it", () => {
    assert.equal(timespan(0, 3_725_000), "0001:02:05");
    assert.equal(timespan(5, 0), "0000:00:00");
  });
});

suite("a record store", () => {
  test("statements say who did what with what, within the course that the platform has launched", () => {
    Object.assign(document, { createElement: () => ({ textContent: "A" }) });
    const asked = new URLSearchParams({ actor: '{"name":"Ada"}', registration: "r", activity_id: "urn:c" }),
      now = new Date(0),
      said = (kind, verb, result) =>
        statement(asked, "https://x/", verb, { kind, place: "#lesson=a", language: "en", name: "A" }, result, now);
    const done = said("lesson", "completed", { completion: true });
    assert.deepEqual(
      [done.actor, done.object.id, done.result],
      [{ name: "Ada" }, "https://x/#lesson=a", { completion: true }],
    );
    assert.deepEqual(done.context, { registration: "r", contextActivities: { grouping: [{ id: "urn:c" }] } });
    const begun = said("course", "initialized", null);
    assert.deepEqual([begun.object.id, "result" in begun], ["urn:c", false]);
    assert.equal(begun.verb.id, "http://adlnet.gov/expapi/verbs/initialized");
  });
});

suite("the runs that a step offers", () => {
  const run = (a, b) => ({ values: { a, b } });
  test("a value leads to the run that has most else in common", () => {
    const runs = [run("1", "x"), run("2", "x"), run("2", "y")];
    assert.equal(nearest(runs, runs[0], "a", "2"), runs[1]);
    assert.equal(nearest(runs, runs[0], "b", "y"), runs[2]);
    assert.equal(nearest(runs, runs[2], "a", "1"), runs[0]);
  });
});
