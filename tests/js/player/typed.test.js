import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { typed } from "../../../pages/player/typed.js";

const EXAMPLES = JSON.parse(readFileSync(new URL("typed.json", import.meta.url), "utf-8"));

test("numbers are read as Python reads them, or refused in the same words", () => {
  for (const [text, expected, whole] of EXAMPLES) {
    const wide = typeof expected === "number" && Math.abs(expected) > 2000;
    const { value, said } = wide ? typed(text, -Infinity, Infinity, whole) : typed(text, -2000, 2000, whole);
    assert.equal(value ?? said, expected, text);
  }
});

test("a range that is open names its end", () => {
  assert.equal(typed("-1", 0).said, "−1 is outside the range: at least 0.");
  assert.equal(typed("2", -Infinity, 1).said, "2 is outside the range: at most 1.");
});
