// The judge in a thread of its own, so that no page waits for it: gets a problem with a rule, and answers with the verdict.

import { Judge } from "./verdict.js";

/** @import { RulePack } from "../messages.js" */

/** @type {Judge | undefined} of the first problem that it was asked about */
let judge;

addEventListener("message", ({ data }) => {
  const { pack, texts } = /** @type {{ pack: RulePack, texts: string[] }} */ (data);
  try {
    judge ??= new Judge(pack);
    self.postMessage({ verdict: judge.judge(texts) });
  } catch (error) {
    self.postMessage({ said: error instanceof Error ? error.message : String(error) });
  }
});
