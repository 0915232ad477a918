import assert from "node:assert/strict";
import test from "node:test";

import { droppable, namedOnce } from "../../../pages/player/naming.js";

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

test("a place to drop a file is a group, whatever it is called", () => {
  const roles = [],
    zone = { setAttribute: (...pair) => roles.push(pair) };
  droppable({ querySelectorAll: (selector) => (selector.includes("Dropzone") ? [zone] : []) });
  assert.deepEqual(roles, [["role", "group"]]);
});
