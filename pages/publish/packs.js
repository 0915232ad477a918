// Answers what the player asks for from files, in the place of player/source.js. A page that lies on a disk can fetch
// nothing, but it can load scripts: each file is one that hands over its content, deflated, as text.

import { decode } from "../player/canvas.js";

/** @import { Course, Filed } from "../messages.js" */

const HUNDRED = 100; // iterations of a file; crawl.py has the same
const NO_CARDS = "This copy has no cards for this iteration; the app has them.";

/** @type {Course} */
export const COURSE = JSON.parse(document.getElementById("course")?.textContent ?? "{}");

export class Refused extends Error {}
export const speakFor = () => {}; // no server takes turns between sessions here

/** @type {Record<string, Filed>} the files of each run of the lesson that is open */
let films = {};
/** @type {(found: Record<string, Filed>) => void} */
export const plays = (found) => {
  films = found;
};

/** @type {Map<string, string>} */
const taken = new Map();
/** @type {Map<string, Promise<Uint8Array<ArrayBuffer>>>} */
const kept = new Map();
Object.assign(globalThis, {
  samplescope: { take: (/** @type {string} */ name, /** @type {string} */ text) => taken.set(name, text) },
});

/** @type {(packs: Record<string, string>) => void} packs that a page has in itself */
export const given = (packs) => {
  for (const [name, text] of Object.entries(packs)) taken.set(name, text);
};

/** @type {(address: string) => Promise<void>} */
export const loaded = (address) =>
  new Promise((done, fail) => {
    const script = document.createElement("script");
    Object.assign(script, {
      src: address,
      onload: () => done(script.remove()),
      onerror: () => fail(new Refused("A file of this copy is missing: make the copy again.")),
    });
    document.head.append(script);
  });

/** @type {(name: string) => Promise<Uint8Array<ArrayBuffer>>} */
async function inflated(name) {
  if (!taken.has(name)) await loaded(`packs/${name}.js`);
  const bytes = Uint8Array.from(atob(taken.get(name) ?? ""), (letter) => letter.charCodeAt(0));
  taken.delete(name);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @type {(name: string) => Promise<Uint8Array<ArrayBuffer>>} */
function pack(name) {
  const found = kept.get(name) ?? inflated(name);
  kept.set(name, found);
  return found;
}

/** @type {(name: string) => Promise<any>} */
export const json = async (name) => JSON.parse(new TextDecoder().decode(await pack(name)));

// As the routes answer, see player/source.js; frames come by the hundred, from before the one that is asked for.
/** @type {(source: string, what: string, args: Record<string, any>, say: (said: string | null) => void) => Promise<any>} */
export async function fetched(source, what, args, say) {
  const found = await answer(source, what, args);
  say(null); // nothing is waited for any more
  return found;
}

/** @type {(source: string, what: string, args: Record<string, any>) => Promise<any>} */
async function answer(source, what, args) {
  const filed = films[source];
  if (!filed) throw new Refused("This copy does not have this run; the app has it.");
  if (what === "film") return json(filed.film);
  if (what === "frames") return decode(await pack(filed.frames[Math.floor(args.from / HUNDRED)]));
  if (what === "still") return (await at(filed.stills, args.t)) ?? {};
  const cards = [];
  for (let t = args.from; t < args.to; t += args.every)
    cards.push((await at(filed.cards[args.view] ?? {}, t)) ?? `<p class="quiet">${NO_CARDS}</p>`);
  return { cards };
}

/** @type {(packs: Record<string, string>, t: number) => Promise<any>} undefined if it has none */
export async function at(packs, t) {
  const name = packs[Math.floor(t / HUNDRED)];
  return name && (await json(name))[t];
}
