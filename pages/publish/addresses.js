// Where a published course shows what is on the screen, in the place of player/addresses.js.

/** @import { About, Addresses } from "../player/addresses.js" */

/** @type {(now: { address: string, t: number }) => Addresses} */
export function addressesOf({ address, t }) {
  const place = new URLSearchParams(address || location.hash.slice(1));
  place.set("t", String(Math.floor(t)));
  return {
    link: location.href,
    stage: new URL(`stage.html?${place}`, location.href).href,
    script: new URL("element.js", location.href).href,
  };
}

/** @type {() => Promise<About>} */
export const about = async () => ({
  qr: "",
  says:
    location.protocol === "file:"
      ? ["This course is on a disk. Put its folder on a web space, and take this from there: other pages find it then."]
      : ["The web space decides which sites may show it: most let all of them."],
});
