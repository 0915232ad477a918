// The state of a stage in a notebook, in the place of embed/leads.js: as it opens from the page, then from the kernel.

import { KEPT, Refused, fetched, tell } from "./source.js";

/** @import { Staged } from "../messages.js" */

const ALONE = "This copy plays what it has; the notebook, run anew, has the rest.";

/** @type {(search: URLSearchParams, say: (said: string | null) => void, event?: any) => Promise<Staged>} */
export async function lead(search, say, event) {
  if (!event) return KEPT.staged;
  if (event.kind === "answered" && KEPT.answered) return KEPT.answered;
  if (KEPT.alone) throw new Refused(ALONE);
  return fetched(`${KEPT.topic}?${search}`, "stage", { event: encodeURIComponent(JSON.stringify(event)) }, say);
}

export const start = `?${KEPT.search}`;

/** @type {(search: URLSearchParams) => void} the kernel hears where the learner is */
export const went = (search) => tell({ link: `${KEPT.topic}?${search}` });

/** @type {(search: string) => string} no app is known */
export const appAt = () => "";
