// Vega for a published course, in the place of player/library.js: a script beside the page.

import { COURSE, loaded } from "./packs.js";

/** @type {Promise<typeof import("../vega.js")>} */
export const VEGA = loaded(COURSE.vega).then(() => ({ default: /** @type {any} */ (globalThis).vegaEmbed }));
