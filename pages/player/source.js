// Fetches from the routes beside the page: a film, its frames, what is drawn at rest, cards.

import { decode } from "./canvas.js";

let session = ""; // whose turn it is to compute, if many ask: the routes and the scripts of a page are one
/** @type {(name: string) => void} */
export const speakFor = (name) => {
  session = name;
};
const FIRST_WAIT = 250,
  LONGEST_WAIT = 5000; // milliseconds between two tries while the connection is lost

/** @typedef {(said: string | null, lost?: boolean) => void} Say what is waited for; null when it goes on */

export class Refused extends Error {}

/** @type {(milliseconds: number, signal?: AbortSignal) => Promise<void>} */
const wait = (milliseconds, signal) =>
  new Promise((done, stop) => {
    signal?.throwIfAborted();
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        stop(signal.reason);
      },
      { once: true },
    );
  });

/** @type {(answer: Response) => Promise<any>} */
const unpacked = async (answer) =>
  answer.headers.get("content-type")?.startsWith("application/json")
    ? answer.json()
    : decode(new Uint8Array(await answer.arrayBuffer()));

// The answer to `what` of a source ("coin?seed=7"), however long it takes; `say` is told what it waits for (and whether the connection is lost), and null when it goes on.
/**
 * @type {(source: string, what: string, args: Record<string, unknown>, say: Say, signal?: AbortSignal,
 *   read?: (answer: Response) => Promise<any>) => Promise<any>}
 */
export async function fetched(source, what, args, say, signal, read = unpacked) {
  const [topic, query] = source.split("?");
  const address = new URL(
    `../../${topic}/${what}?${query}${Object.entries(args)
      .map(([name, value]) => `&${name}=${value}`)
      .join("")}`,
    import.meta.url,
  );
  for (let pause = FIRST_WAIT; ;) {
    try {
      const answer = await fetch(address, { signal, headers: { "x-session": session } });
      if (answer.status === 200) {
        const found = await read(answer);
        say(null);
        return found;
      }
      if (answer.status === 202) {
        const { said, pause: asked } = await answer.json();
        say(said);
        pause = FIRST_WAIT;
        await wait(asked, signal);
        continue;
      }
      if (answer.status < 500 && answer.status !== 429) throw new Refused(await answer.text());
    } catch (error) {
      if (signal?.aborted || error instanceof Refused) throw error;
    }
    say("Connection lost: trying again", true);
    await wait(pause * (0.5 + Math.random()), signal);
    pause = Math.min(2 * pause, LONGEST_WAIT);
  }
}
