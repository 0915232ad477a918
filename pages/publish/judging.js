// The judge of a published course: it has the tables of a problem in a file, and works in a thread of its own.

import { json } from "./packs.js";
import { SCRIPT } from "./worker.js";

/** @import { RulePack, RuleTable, RuleVerdict } from "../messages.js" */

/** @type {Map<string, Worker>} by the file of the problem */
const judges = new Map();

/** @type {(file: string) => Worker} */
function judgeOf(file) {
  const found = judges.get(file) ?? new Worker(URL.createObjectURL(new Blob([SCRIPT], { type: "text/javascript" })));
  judges.set(file, found);
  return found;
}

/** @type {(file: string, points: number) => Promise<RuleTable>} */
export async function tableFrom(file, points) {
  const { tables } = /** @type {RulePack} */ (await json(file));
  return /** @type {RuleTable} */ (tables.find((table) => table.points === points));
}

/** @type {(file: string, texts: string[]) => Promise<RuleVerdict>} */
export async function verdictFrom(file, texts) {
  const pack = await json(file),
    worker = judgeOf(file);
  return new Promise((done, fail) => {
    worker.onmessage = ({ data }) => (data.verdict ? done(data.verdict) : fail(new Error(data.said)));
    worker.onerror = () => fail(new Error("The judge cannot start in this browser."));
    worker.postMessage({ pack, texts });
  });
}
