import assert from "node:assert/strict";
import test from "node:test";

import { reused } from "../../../pages/player/drawn.js";

test("a chart of the same specification is used again, once", () => {
  const kept = [
    { name: "bars", number: 1 },
    { name: "curve", number: 2 },
    { name: "bars", number: 3 },
  ];
  assert.equal(reused("bars", kept)?.number, 1);
  assert.equal(reused("bars", kept)?.number, 3);
  assert.equal(reused("bars", kept), undefined);
  assert.deepEqual(kept, [{ name: "curve", number: 2 }]);
});
