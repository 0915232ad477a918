// Where the app shows what is on the screen: the page itself, and its bare stage for other pages.

import { searchOf } from "./reckoning.js";

/** @typedef {{ link: string, stage: string, script: string }} Addresses */
/** @typedef {{ qr: string, says: string[] }} About of a link: its QR code as SVG, and words on who may frame it; each second is code */

const site = new URL("../../../../", import.meta.url); // the app, above its modules

/** @type {(now: { address: string, source: string, t: number }) => Addresses} */
export function addressesOf({ address, source, t }) {
  const place = `${source.split("?")[0]}${searchOf(address, t)}`;
  return {
    link: location.href,
    stage: new URL(`stage/${place}`, site).href,
    script: new URL("stage/element.js", site).href,
  };
}

/** @type {(link: string) => Promise<About>} */
export async function about(link) {
  try {
    const answer = await fetch(new URL(`stage/link.json?at=${encodeURIComponent(link)}`, site)),
      { qr, framed_by } = /** @type {import("../messages.js").Linked} */ (await answer.json());
    return { qr, says: whoMay(framed_by) };
  } catch {
    return { qr: "", says: ["The server did not say which sites may show it. Try again."] };
  }
}

/** @type {(sites: string) => string[]} */
export function whoMay(sites) {
  const named = ["Browsers show it only on sites that the server names, in ", "SAMPLESCOPE_FRAMED_BY"];
  return sites
    ? [...named, ": ", sites, "."]
    : [
        ...named,
        ". It names none yet: whoever runs it sets, for example, ",
        'SAMPLESCOPE_FRAMED_BY="https://lms.example.edu"',
        ".",
      ];
}
