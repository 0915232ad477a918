import assert from "node:assert/strict";
import test from "node:test";

import { page } from "./page.js";

page();

for (const name of [
  "player/player",
  "player/cards",
  "classroom/room",
  "lesson/store",
  "studio/editor",
  "studio/view",
]) {
  test(`${name}.js finds all that it imports, and exports what Streamlit calls`, async () => {
    assert.equal(typeof (await import(`../../pages/${name}.js`)).default, "function");
  });
}
