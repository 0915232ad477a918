// A lesson of a published course in a learning platform, by SCORM 1.2: the platform keeps the answers, the place, the
// score, and whether the lesson is done and passed. See the run-time environment of SCORM 1.2, part 3.

import { COURSE, json } from "./packs.js";
import { finished } from "./map.js";
import { scoreOf } from "./score.js";
import { all, keptByPlatform } from "./store.js";

/** @import { Score } from "./score.js" */
/** @typedef {{ LMSInitialize: (_: "") => string, LMSGetValue: (name: string) => string, LMSSetValue: (name: string, value: string) => string, LMSCommit: (_: "") => string, LMSFinish: (_: "") => string }} Platform */

const MOST = 4096; // characters that a platform keeps
const FAR = 12; // windows around this one

/** @type {Platform | null} */
let platform = null;
const began = Date.now();

/** @type {(from: any) => Platform | null} */
export function found(from) {
  // the platform's object, in a window around this one or in the one that opened it
  for (let here = from, i = 0; i < FAR; here = here.parent, i++) {
    try {
      if (here.API) return here.API;
      if (here.parent === here) return here.opener ? found(here.opener) : null;
    } catch {
      return null; // of another site
    }
  }
  return null;
}

/** @type {(text: string, how: "deflate" | "inflate") => Promise<string>} */
async function squeezed(text, how) {
  const stream = how === "deflate" ? new CompressionStream("deflate") : new DecompressionStream("deflate");
  const bytes =
    how === "deflate" ? new TextEncoder().encode(text) : Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const out = new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
  return how === "deflate" ? btoa(String.fromCharCode(...out)) : new TextDecoder().decode(out);
}

/** @type {(found: Record<string, string[]>) => Promise<string>} */
export async function suspended(found) {
  // all that is kept; if that is too long, without the tries, and then without the answers that came first
  let pairs = Object.entries(found);
  let text = await squeezed(JSON.stringify(Object.fromEntries(pairs)), "deflate");
  if (text.length > MOST) pairs = pairs.filter(([name]) => !name.startsWith(".tries/"));
  while ((text = await squeezed(JSON.stringify(Object.fromEntries(pairs)), "deflate")).length > MOST && pairs.length)
    pairs = pairs.slice(Math.ceil(pairs.length / 10));
  return text;
}

/** @type {(text: string) => Promise<Record<string, string[]>>} */
export async function resumed(text) {
  try {
    return text ? JSON.parse(await squeezed(text, "inflate")) : {};
  } catch {
    return {};
  }
}

/** @type {(from: number, to: number) => string} */
export function timespan(from, to) {
  const seconds = Math.max(0, Math.round((to - from) / 1000)),
    two = (/** @type {number} */ value) => String(Math.floor(value) % 60).padStart(2, "0");
  return `${String(Math.floor(seconds / 3600)).padStart(4, "0")}:${two(seconds / 60)}:${two(seconds)}`;
}

/** @type {() => Promise<void>} */
export async function begin() {
  // before the page looks for answers
  if (!COURSE.scorm) return;
  const [{ id }] = lessonsOf();
  if (!location.hash) history.replaceState(null, "", `#lesson=${id}`);
  platform = found(window);
  if (!platform) return;
  platform.LMSInitialize("");
  keptByPlatform(await resumed(platform.LMSGetValue("cmi.suspend_data")));
  const place = platform.LMSGetValue("cmi.core.lesson_location");
  if (place) history.replaceState(null, "", `#${place}`);
  if (["not attempted", ""].includes(platform.LMSGetValue("cmi.core.lesson_status")))
    platform.LMSSetValue("cmi.core.lesson_status", "incomplete");
  addEventListener("pagehide", () => {
    platform?.LMSSetValue("cmi.core.session_time", timespan(began, Date.now()));
    platform?.LMSSetValue("cmi.core.exit", "suspend");
    platform?.LMSFinish("");
    platform = null;
  });
}

const lessonsOf = () => COURSE.sections.flatMap(({ lessons }) => lessons);

/** @type {(score: Score, mastery: string) => string} */
export function statusOf({ right, many, done }, mastery) {
  // `mastery` is the least per cent of a pass, "" if the platform knows none
  if (!done) return "incomplete";
  if (!many || mastery === "") return "completed";
  return (100 * right) / many >= +mastery ? "passed" : "failed";
}

/** @type {Promise<void>} */
let busy = Promise.resolve();
/** @type {() => Promise<void>} */
export function report() {
  // what has changed, one report after the other
  busy = busy.then(async () => {
    if (!platform) return;
    const [entry] = lessonsOf(),
      score = scoreOf(await json(entry.file)),
      text = await suspended(all()),
      { right, many } = score;
    const here = location.hash.slice(1, 256),
      own = new URLSearchParams(here).get("lesson") === entry.id; // and no question that comes back
    const raw = { min: "0", max: "100", raw: String(Math.round((100 * right) / Math.max(many, 1))) };
    for (const [name, value] of Object.entries({
      ...(own ? { "cmi.core.lesson_location": here } : {}),
      "cmi.suspend_data": text,
      ...(many
        ? Object.fromEntries(Object.entries(raw).map(([name, value]) => [`cmi.core.score.${name}`, value]))
        : {}),
      "cmi.core.lesson_status": statusOf(
        { ...score, done: finished(entry) },
        platform?.LMSGetValue("cmi.student_data.mastery_score") ?? "",
      ),
    }))
      platform?.LMSSetValue(name, value);
    platform?.LMSCommit("");
  });
  return busy;
}
