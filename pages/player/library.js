// Vega, which is on its way while films and frames are asked for.

/** @type {Promise<typeof import("../vega.js")>} */
export const VEGA = import(new URL("../vega.js", import.meta.url).href);
