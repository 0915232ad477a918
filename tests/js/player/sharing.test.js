// Snippets for another page, and what a published course finds for an address.

import assert from "node:assert/strict";
import { test } from "node:test";

import { whoMay } from "../../../pages/player/addresses.js";
import { elementOf, frameOf } from "../../../pages/player/sharing.js";

test("a frame's address and title are written as HTML has them", () => {
  assert.equal(
    frameOf('https://a.example/stage/coin?tosses=9&t="5"', "Heads & <tails>"),
    '<iframe src="https://a.example/stage/coin?tosses=9&amp;t=&quot;5&quot;" title="Heads &amp; &lt;tails&gt;" style="width: 100%; height: 560px; border: 0" loading="lazy"></iframe>',
  );
});

test("an element has a link for where its script does not run", () => {
  assert.equal(
    elementOf("https://a.example/stage/coin?t=5", "https://a.example/stage/element.js", "Density"),
    '<script src="https://a.example/stage/element.js" async></script>\n' +
      '<samplescope-stage src="https://a.example/stage/coin?t=5"><a href="https://a.example/stage/coin?t=5">Density</a></samplescope-stage>',
  );
});

test("the sites that may show it are named, or what names them", () => {
  assert.match(whoMay("https://lms.example.edu").join(""), /in SAMPLESCOPE_FRAMED_BY: https:\/\/lms\.example\.edu\.$/);
  assert.match(whoMay("").join(""), /It names none yet/);
});
