// What the panels of a class are made of: elements, numbers with their nouns, and what the browser stores.
// `site` is set by room.js. Words that come from others become text here, and never markup.

/** @typedef {string | Node | null | undefined | false} Child what is none is left out */
/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @typedef {{ [Name in keyof HTMLElementTagNameMap[Tag]]?: Loose<HTMLElementTagNameMap[Tag][Name]> } & {
 *   data?: Record<string, string>; aria?: Record<string, string> }} Props of an element, its data- and aria- attributes
 */
/**
 * @template Value
 * @typedef {Value extends string ? string | number : Value} Loose
 */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Props<Tag>} [props]
 * @param {...Child | Child[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, props, ...children) {
  const { data = {}, aria = {}, ...own } = props ?? {},
    made = Object.assign(document.createElement(tag), own);
  for (const [name, value] of Object.entries(aria)) made.setAttribute(name === "role" ? name : `aria-${name}`, value);
  Object.assign(made.dataset, data);
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

// What had the focus in parts that are made anew, by its data-act.
/** @type {(root: ShadowRoot) => string | undefined} */
export const focusIn = (root) =>
  root.activeElement instanceof HTMLElement ? root.activeElement.dataset.act : undefined;
/** @type {(box: Element, act: string | undefined) => void} */
export const focusOn = (box, act) => {
  if (act) /** @type {HTMLElement | null} */ (box.querySelector(`[data-act=${act}]`))?.focus();
};

/** @type {(text: string, onclick: () => unknown, props?: Props<"button">) => HTMLButtonElement} */
export const button = (text, onclick, props = {}) =>
  el("button", { type: "button", textContent: text, onclick, ...props });
/** @type {(number: number, one: string, many?: string) => string} */
export const counted = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;
/** @type {(code: string) => string} */
export const spelt = (code) => code.replace(/^(.{4})(.+)$/, "$1-$2"); // a code as people read it
/** @type {(text: string) => string} */
export const plainCode = (text) => text.toUpperCase().replace(/[^A-Z0-9]/g, "");
/** @type {(text: string | number) => string} */
export const minus = (text) => String(text).replace("-", "−");
/** @type {(value: number) => string} a number for a chart */
export const short = (value) => minus(+value.toPrecision(4));

export const site = { folder: "/" }; // where the app lies on its server
export const appAddress = () => new URL(site.folder, location.origin);
/** @type {(code: string) => URL} where a class is joined */
export const joinAddress = (code) => new URL(`j/${spelt(code)}`, appAddress());
/** @type {(address: URL) => string} an address as people type it */
export const typed = (address) => address.href.replace(/^https?:\/\/|\/$/g, "").replace(/-/g, "‑"); // no line ends at a hyphen

const SVG_NS = "http://www.w3.org/2000/svg";
/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number>} [places]
 * @param {...Node | Node[]} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, places = {}, ...children) {
  const made = document.createElementNS(SVG_NS, tag);
  for (const [name, value] of Object.entries(places)) made.setAttribute(name, String(value));
  made.append(...children.flat());
  return made;
}

// What is kept in this tab, or in this browser; where that is blocked, it is forgotten with the page.
// pages/lesson/store.js knows CLASS, ROLE and OF_CLASS as well.
export const CLASS = "samplescope class",
  ROLE = "samplescope class role", // leads, learns, or shows on a projector
  OF_CLASS = "samplescope class answer ", // the class's answers, in a tab that leads or shows it
  LED = "samplescope class led", // the code of the class that was led here last
  MEMBER = "samplescope member ",
  NAME = "samplescope name";
export const TAKEN = "samplescope class answer",
  FOLLOWING = "samplescope following",
  SECRET = "samplescope class "; // MEMBER and SECRET with a code behind them
/** @type {Map<string, string | null>} */
const forgetful = new Map();
/** @type {(store: () => Storage, name: string) => string | null} */
export function remembered(store, name) {
  try {
    return store().getItem(name);
  } catch {
    return forgetful.get(name) ?? null;
  }
}
/** @type {(store: () => Storage, name: string, value: string | null) => void} */
export function remember(store, name, value) {
  forgetful.set(name, value);
  try {
    if (value === null) store().removeItem(name);
    else store().setItem(name, value);
  } catch {
    /* blocked or full: this page knows it all the same */
  }
}
export const TAB = () => sessionStorage,
  BROWSER = () => localStorage;

/** Forget what a tab that led or showed a class kept of its answers. */
export function forgetClass() {
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(OF_CLASS)) sessionStorage.removeItem(name);
  } catch {
    /* blocked: nothing was kept */
  }
}

/** Forget in this browser that a class can be led from it. */
/** @type {(code: string) => void} */
export function forgetSecret(code) {
  remember(BROWSER, SECRET + code, null);
  if (remembered(BROWSER, LED) === code) remember(BROWSER, LED, null);
}

/** A field for a learner's name, as it was typed last in this browser. */
export const nameField = () =>
  el("input", {
    type: "text",
    maxLength: 40,
    placeholder: "Your name, if you like",
    ariaLabel: "Your name, if you like",
    value: remembered(BROWSER, NAME) ?? "",
  });
/** @type {(field: HTMLInputElement) => string} */
export function keptName(field) {
  const name = field.value.trim();
  remember(BROWSER, NAME, name || null);
  return name;
}
