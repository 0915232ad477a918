// What the player paints with: messages from bytes, the theme's colours, the elements of a chart.

/** @import { DrawnChart, FramesHead, Listed } from "../messages.js" */

/** @typedef {Component<unknown>["parentElement"]} Root where a component draws */
/** @typedef {{ set: string, field: string, row: (frame: number) => ArrayLike<number> }} Column */
/** @typedef {{ head: FramesHead, columns: Column[] }} Frames */
/** @typedef {{ params?: { name: string, expr?: string }[] } & Record<string, any>} Spec of Vega-Lite */
/** @typedef {Record<string, unknown[]>} Columns of a data set: one value a row of each field */
/** @typedef {Record<string, any>} Row as Vega has it; of data sets, with its number `i` */
/** @typedef {{ ink: string, soft: string, line: string, paper: string, accent: string }} Colors */

const AGAIN = { force: true }; // a signal is taken as new, whatever it was

const TYPES = { uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array, float32: Float32Array };

/** @type {(bytes: Uint8Array<ArrayBuffer>) => Frames} */
export function decode(bytes) {
  // four bytes of length, a JSON header, then every array, each padded to four bytes
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const length = new DataView(buffer).getUint32(0, true);
  /** @type {FramesHead} */
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  let offset = 4 + length;
  const columns = head.columns.map(({ set, field, type, width }) => {
    const array = new TYPES[type](buffer, offset, head.count * width);
    offset += Math.ceil(array.byteLength / 4) * 4;
    return { set, field, row: (/** @type {number} */ frame) => array.subarray(frame * width, (frame + 1) * width) };
  });
  return { head, columns };
}

// What lives on a component's root; another build of the app takes the place of an older one's.
/**
 * @template {{ close: () => void }} Kind
 * @param {Root} root
 * @param {new (root: Root) => Kind} Kind
 * @returns {Kind}
 */
export function living(root, Kind) {
  if (root.living?.build !== import.meta.url) {
    // has the build's number in it
    root.living?.one.close();
    root.living = { build: import.meta.url, one: new Kind(root) };
  }
  return root.living.one;
}

/** @type {(root: Root, name: string) => string} */
const style = (root, name) =>
  getComputedStyle(/** @type {Element} */ (root.host ?? root))
    .getPropertyValue(`--st-${name}`)
    .trim();
/** @type {(root: Root) => string} */
export const themeOf = (root) => style(root, "text-color") + style(root, "background-color") + scale();
/** @type {(a: string, b: string, part: number) => string} */
export const mix = (a, b, part) =>
  "#" +
  [1, 3, 5]
    .map((i) =>
      Math.round(part * parseInt(a.slice(i, i + 2), 16) + (1 - part) * parseInt(b.slice(i, i + 2), 16))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("");
/** @type {(root: Root) => Colors} */
export const colorsOf = (root) => ({
  ink: style(root, "text-color"),
  soft: mix(style(root, "text-color"), style(root, "background-color"), 0.72),
  line: style(root, "border-color"),
  paper: style(root, "background-color"),
  accent: style(root, "primary-color"),
});
/** @type {(root: Root) => boolean} */
export const isDark = (root) => parseInt(colorsOf(root).paper.slice(1, 3), 16) < 128;
/** Charts are laid out by the widths of their words, so none is made before their font is there. */
export const fontLoaded = () => document.fonts.load("1em Source Sans").catch(() => []);

/** @type {(colors: Pick<Colors, "ink" | "soft" | "line">) => object} */
export const configOf = ({ ink, soft, line }) => ({
  background: null,
  font: "Source Sans, sans-serif",
  view: { stroke: null },
  mark: { aria: false }, // a canvas has no elements to carry a description, so Vega need not write one for each mark
  axis: {
    labelColor: soft,
    titleColor: soft,
    gridColor: line,
    domainColor: line,
    tickColor: line,
    labelFontSize: typeOf(12),
    titleFontSize: typeOf(12),
    titleFontWeight: "normal",
  },
  text: { color: ink },
});

const pageLook = () => getComputedStyle(document.documentElement);
const scale = () => {
  // larger type for a projector
  const look = pageLook();
  return (parseFloat(look.fontSize) / 16) * (parseFloat(look.getPropertyValue("--chart-type")) || 1);
};
/** @type {(size: number) => number} */
const typeOf = (size) => {
  // and none smaller than --least, in rem
  const look = pageLook();
  return Math.max(size * scale(), parseFloat(look.fontSize) * (parseFloat(look.getPropertyValue("--least")) || 0));
};
/** @type {() => number} */
export const larger = () => typeOf(12) / 12; // for what a chart reckons in pixels itself
/** @type {Record<string, number>} */
const GROWS = { strokeWidth: 1, lineHeight: 1, minExtent: 1, titlePadding: 1, dx: 1, dy: 1, size: 2 }; // the last is an area
/** @type {<Value>(spec: Value) => Value} */
export const typeScaled = (spec) =>
  JSON.parse(JSON.stringify(spec), (key, value) => {
    if (key === "fontSize" && value.expr) return { expr: `max(${typeOf(0)}, ${value.expr})` };
    if (typeof value !== "number") return value;
    return key === "fontSize" ? typeOf(value) : key in GROWS ? value * scale() ** GROWS[key] : value;
  });
/** @type {(spec: Spec, name: string) => boolean} */
export const has = (spec, name) => Boolean(spec.params?.some((param) => param.name === name));
// {name} is a number (nothing if it is NaN), {name:none|one|more} the word for it, the last for all that is more
/** @type {(text: string, said: Record<string, number>) => string} */
export const fill = (text, said) =>
  text.replace(/\{(\w+)(?::([^}]*))?\}/g, (_, name, words) =>
    words
      ? words.split("|")[Math.min(said[name], words.split("|").length - 1)]
      : Number.isNaN(said[name])
        ? ""
        : String(Number.isInteger(said[name]) ? said[name] : +said[name].toPrecision(4))
            .replace("-", "−")
            .replace("Infinity", "∞"),
  );
/** @type {(columns: Columns) => Row[]} */
export const rowsOf = (columns) => {
  // {field: values} to [{i, field: value}, …]
  const names = Object.keys(columns);
  return columns[names[0]].map((_, i) =>
    Object.fromEntries([["i", i], ...names.map((name) => [name, columns[name][i]])]),
  );
};

/** @type {(chart: DrawnChart, scrolled: (top: number) => void) => HTMLElement} */
export function figureOf({ name, title, legend, alt, aspect, share, tall, rows, listed }, scrolled) {
  const figure = element("figure", "");
  figure.dataset.chart = name;
  figure.style.setProperty("--share", String(share));
  figure.style.setProperty("--part", String(tall));
  figure.style.setProperty("--rows", String(rows));
  const caption = element("figcaption", "");
  const keys = legend.map(({ mark, text, when }) => {
    const key = element("span", "key", text);
    key.dataset.mark = mark;
    if (when) key.dataset.when = when;
    const [color, kind, to] = mark.split(" "),
      own = color === "ink" ? "var(--st-text-color)" : color;
    if (kind) key.style.cssText = `--mark: ${own}; --stroke: ${kind}; --to: ${to}`; // a colour of the chart's own
    return key;
  });
  const head = element("div", "head");
  head.append(element("b", "", title), " ", element("span", "now"), " ", element("span", "hint"));
  const legends = element("div", "legend");
  legends.append(...keys);
  caption.append(head, legends);
  const canvas = Object.assign(element("div", "canvas"), { role: "img", ariaLabel: alt });
  if (aspect) canvas.style.setProperty("--aspect", aspect);
  figure.classList.toggle("square", aspect === "1 / 1");
  const [across, down] = aspect.split("/");
  figure.classList.toggle("upright", +across / +down <= 1.4);
  figure.append(caption, listed ? listOf(title, canvas, listed, scrolled) : canvas);
  return figure;
}

/** @type {(view: View, spec: Spec, figure: Element) => void} */
export function keysByRoom(view, spec, figure) {
  // the key of a mark that needs room, as its chart reckons, takes none itself while there is no such mark
  for (const key of /** @type {NodeListOf<HTMLElement>} */ (figure.querySelectorAll(".key[data-when]"))) {
    const name = key.dataset.when ?? "";
    if (!spec.params?.some((param) => param.name === name && param.expr)) continue;
    /** @type {(name: string, there: unknown) => unknown} */
    const turn = (_, there) => key.classList.toggle("absent", !there);
    delete key.dataset.when; // no frame decides it
    key.classList.add("by-room");
    view.addSignalListener(name, turn);
    turn(name, view.signal(name));
  }
}

/** @type {(title: string, canvas: Element, listed: Listed, scrolled: (top: number) => void) => HTMLElement} */
function listOf(title, canvas, { items, shown }, scrolled) {
  // the page's own scrolling moves nothing but a number: the canvas stays where it is
  const list = element("div", "list"),
    rest = element("div", "");
  rest.style.height = `${(100 * Math.max(0, items - shown)) / (shown + 1)}%`;
  if (items > shown) Object.assign(list, { tabIndex: 0, role: "group", ariaLabel: `${title}: a list that scrolls` });
  list.onscroll = () =>
    scrolled(Math.round(((items - shown) * list.scrollTop) / Math.max(1, list.scrollHeight - list.clientHeight)));
  list.append(canvas, rest);
  return list;
}

/** @type {(figure: Element, listed: Pick<Listed, "items" | "shown">, top: number) => void} */
export function scrollTo(figure, { items, shown }, top) {
  const list = figure.querySelector(".list");
  if (!list) return;
  list.scrollTop =
    (Math.max(0, Math.min(items - shown, top)) * (list.scrollHeight - list.clientHeight)) / Math.max(1, items - shown);
}

/** @type {(shown: { view: View, figure: HTMLElement }) => unknown} */
export function fit({ view, figure }) {
  // Vega looks at the room that a chart has when it is made, and when the window changes, only; what it keeps as a
  // height is that without the axes, so that a room of just that height would pass for none that is new
  const { clientWidth, clientHeight, style } = /** @type {HTMLElement} */ (figure.querySelector(".canvas"));
  const [across, down] = style.getPropertyValue("--aspect").split("/");
  const wide = down ? +across / +down : clientWidth / clientHeight; // a circle stays a circle
  const height = figure.closest(".charts:not(.abreast) .main")
    ? clientHeight
    : Math.min(clientHeight, clientWidth / wide); // the main picture has its width from its height
  return (
    clientWidth &&
    view
      .signal("width", Math.min(clientWidth, clientHeight * wide), AGAIN)
      .signal("height", height, AGAIN)
      .resize()
      .runAsync()
  );
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} className
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, className, textContent = "") {
  return Object.assign(document.createElement(tag), { className, textContent });
}
