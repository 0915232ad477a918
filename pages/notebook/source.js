// Answers what the player asks for in a notebook, in the place of player/source.js: from what the page has in itself, or
// from the kernel, to which the widget around the page hands it on.

import { decode } from "../player/canvas.js";
import { Refused, at, fetched as filed, given, plays, speakFor } from "../publish/packs.js";

/** @import { Kept } from "../messages.js" */

export { Refused, speakFor };

/** @type {Kept} */
export const KEPT = JSON.parse(document.getElementById("kept")?.textContent ?? "{}");
given(KEPT.packs);
plays(KEPT.films);

const PATIENCE = 8000, // milliseconds until it is said that no kernel answers
  SILENT = "The kernel does not answer. Run the notebook to go on",
  view = Math.random().toString(36).slice(2); // several views of a widget hear the same answers
let number = 0;
/** @type {Map<string, (told: { status: number, kind: string, body: BlobPart }) => void>} */
const waiting = new Map();

addEventListener("message", ({ source, data }) => {
  if (source === parent && data?.samplescopeAnswer) waiting.get(data.samplescopeAnswer)?.(data);
});

/** @type {(said: object) => void} */
export const tell = (said) => parent.postMessage({ samplescope: said }, "*");

/** @type {(address: string, signal?: AbortSignal) => Promise<Response>} */
const kernel = (address, signal) =>
  new Promise((done, fail) => {
    const ask = `${view}/${(number += 1)}`,
      stop = () => fail(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
    waiting.set(ask, ({ status, kind, body }) => {
      waiting.delete(ask);
      signal?.removeEventListener("abort", stop);
      done(new Response(body, { status, headers: { "content-type": kind } }));
    });
    tell({ ask, address });
  });

/** @type {(answer: Response) => Promise<any>} */
const unpacked = async (answer) =>
  answer.headers.get("content-type")?.startsWith("application/json")
    ? answer.json()
    : decode(new Uint8Array(await answer.arrayBuffer()));

/** @type {(source: string, what: string, args: Record<string, any>) => Promise<boolean>} whether the page itself has it */
async function has(source, what, args) {
  const films = KEPT.films[source];
  if (KEPT.alone || !films) return KEPT.alone;
  if (what === "film") return true;
  if (what === "frames") return args.from <= KEPT.last[source];
  if (what === "still") return Boolean(await at(films.stills, args.t));
  return what === "cards" && args.to === args.from + 1 && Boolean(await at(films.cards[args.view] ?? {}, args.from));
}

/** @type {(milliseconds: number) => Promise<void>} */
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// As in player/source.js.
/**
 * @type {(source: string, what: string, args: Record<string, any>, say: (said: string | null) => void,
 *   signal?: AbortSignal, read?: (answer: Response) => Promise<any>) => Promise<any>}
 */
export async function fetched(source, what, args, say, signal, read = unpacked) {
  if (await has(source, what, args)) return filed(source, what, args, say);
  const [topic, query] = source.split("?"),
    more = Object.entries(args).map(([name, value]) => `&${name}=${value}`);
  for (;;) {
    const late = setTimeout(() => say(SILENT), PATIENCE);
    try {
      const answer = await kernel(`${topic}/${what}?${query}${more.join("")}`, signal);
      if (answer.status === 202) {
        const { said, pause } = await answer.json();
        say(said);
        await wait(pause);
        continue;
      }
      if (answer.status !== 200) throw new Refused(await answer.text());
      const found = await read(answer);
      say(null);
      return found;
    } finally {
      clearTimeout(late);
    }
  }
}
