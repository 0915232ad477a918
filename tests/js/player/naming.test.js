import assert from "node:assert/strict";
import test from "node:test";

import { namedOnce } from "../../../pages/player/naming.js";

test("a slider that has its group's name is named once, another keeps both", () => {
  const slider = (ariaLabel, group) => ({
    ariaLabel,
    twice: true,
    closest: () => ({ ariaLabel: group }),
    removeAttribute() {
      this.twice = false;
    },
  });
  const sliders = [slider("Your guess", "Your guess"), slider("Low", "Range")];
  namedOnce({ querySelectorAll: () => sliders });
  assert.deepEqual(
    sliders.map(({ twice }) => twice),
    [false, true],
  );
});
