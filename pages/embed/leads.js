// The state of a bare stage: the server makes it of an address, and of where an event of the player leads from there.

import { fetched } from "../player/source.js";

/** @import { Staged } from "../messages.js" */
/** @typedef {(said: string | null) => void} Say what is waited for; null when it goes on */

const topic = location.pathname.split("/").at(-1) ?? "";

/** @type {(search: URLSearchParams, say: Say, event?: object) => Promise<Staged>} */
export const lead = (search, say, event) =>
  fetched(
    `${topic}?${search}`, // a sign of interrogation in a value is encoded
    "stage",
    event ? { event: encodeURIComponent(JSON.stringify(event)) } : {},
    say,
  );

export const start = location.search; // the address with which it opens

/** @type {(search: URLSearchParams, answered: boolean) => void} an answer that was shown stays so after a reload */
export const went = (search, answered) => {
  if (answered) history.replaceState(null, "", `?${search}`);
};

/** @type {(search: string) => string} of the page in the app that shows the same */
export const appAt = (search) => new URL(`../${topic}${search}`, location.href).href;
