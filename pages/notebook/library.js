// Vega in a notebook, in the place of player/library.js: the page has it.

/** @type {Promise<typeof import("../vega.js")>} */
export const VEGA = Promise.resolve({ default: /** @type {any} */ (globalThis).vegaEmbed });
