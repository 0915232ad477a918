// Draws the charts of views that Streamlit draws in the app: drawn.py has written their specifications into the cards.

import { colorsOf, configOf, themeOf } from "../player/canvas.js";
import { VEGA } from "./library.js";

/** @type {WeakMap<Element, { text: string, look: string }>} what each chart shows, and in which colours */
const CHARTS = new WeakMap();

/** @type {(box: HTMLElement) => () => void} */
export function drawCharts(box) {
  // those that are there, and each that comes; returns what ends that
  const draw = () => box.querySelectorAll(".drawn-chart").forEach((place) => chart(place)),
    news = new MutationObserver(draw),
    dark = matchMedia("(prefers-color-scheme: dark)");
  news.observe(box, { childList: true, subtree: true });
  dark.addEventListener("change", draw);
  draw();
  return () => {
    news.disconnect();
    dark.removeEventListener("change", draw);
  };
}

/** @type {(place: Element) => Promise<void>} */
async function chart(place) {
  const root = /** @type {any} */ (place),
    look = themeOf(root),
    known = CHARTS.get(place),
    text = known?.text ?? place.textContent ?? "";
  if (known?.look === look) return;
  CHARTS.set(place, { text, look });
  const { default: vegaEmbed } = await VEGA;
  await vegaEmbed(
    place,
    { ...JSON.parse(text), width: "container" },
    { renderer: "canvas", actions: false, config: configOf(colorsOf(root)) },
  );
}
