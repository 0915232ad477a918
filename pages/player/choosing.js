// The tiles of a wall by keyboard, and the marks that a question asks for: Tab comes to a list of them, arrow keys go from
// one to the next, Enter takes the one that is lit.

import { element } from "./canvas.js";

/** @typedef {{ x: number, y: number, mark: string, text: string }} Tile */
/**
 * @typedef {{ title: string, does: string, tiles: () => Tile[], own: number, light: (mark: string) => void,
 *   open: (mark: string, at: number) => void }} Tiles
 */

/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** @type {(tiles: Pick<Tile, "x" | "y">[], at: number, key: string) => number | null} */
export function chosen(tiles, at, key) {
  // the tile to which a key leads: the nearest that way, or the same at the wall's end; null if it is no such key
  if (key === "Home") return 0;
  if (key === "End") return tiles.length - 1;
  if (!(key in WAYS)) return null;
  const [right, up] = WAYS[key],
    here = tiles[at];
  let best = at,
    least = Infinity;
  tiles.forEach(({ x, y }, i) => {
    const along = (x - here.x) * right + (y - here.y) * up,
      across = Math.abs((x - here.x) * up) + Math.abs((y - here.y) * right);
    if (along > 0 && along + 9 * across < least) [best, least] = [i, along + 9 * across];
  });
  return best;
}

/** @type {(tiles: Tiles) => HTMLElement} */
export function tileList({ title, does, tiles, own, light, open }) {
  // what is on a tile changes with the film, so options are made when Tab comes here, and at each key
  const list = Object.assign(element("div", "choice"), { tabIndex: 0, role: "listbox" });
  list.ariaLabel = `${title}: ${does}`;
  let at = own;
  const show = () => {
    const all = tiles();
    list.replaceChildren(
      ...all.map(({ text }, i) => {
        const option = Object.assign(element("div", "", text), { id: `tile-${i}`, role: "option" });
        option.ariaSelected = String(i === at);
        return option;
      }),
    );
    list.setAttribute("aria-activedescendant", `tile-${at}`);
    light(all[at].mark);
  };
  list.onfocus = show;
  list.onblur = () => light("");
  list.onkeydown = (event) => {
    const all = tiles();
    if (event.key === "Enter" || event.key === " ") open(all[at].mark, at);
    else at = chosen(all, at, event.key) ?? at;
    if (event.key === "Tab") return;
    event.preventDefault();
    show();
  };
  return list;
}
