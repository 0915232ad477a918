// What the panels of a class are made of: elements, numbers in words, and what the browser keeps.
// `site` is set by room.js. Words that come from others become text here, and never markup.

export function el(tag, props = {}, ...children) {
  const { data = {}, aria = {}, ...own } = props,
    made = Object.assign(document.createElement(tag), own);
  for (const [name, value] of Object.entries(aria)) made.setAttribute(name === "role" ? name : `aria-${name}`, value);
  Object.assign(made.dataset, data);
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export const button = (text, onclick, props = {}) =>
  el("button", { type: "button", textContent: text, onclick, ...props });
export const counted = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;
export const spelt = (code) => code.replace(/^(.{4})(.+)$/, "$1-$2"); // a code as people read it
export const plainCode = (text) => text.toUpperCase().replace(/[^A-Z0-9]/g, "");
export const minus = (text) => String(text).replace("-", "−");

export const site = { folder: "/" }; // where the app lies on its server

const SVG_NS = "http://www.w3.org/2000/svg";
export function svg(tag, places = {}, ...children) {
  const made = document.createElementNS(SVG_NS, tag);
  for (const [name, value] of Object.entries(places)) made.setAttribute(name, value);
  made.append(...children.flat());
  return made;
}

// What is kept in this tab, or in this browser; where that is blocked, it is forgotten with the page.
// pages/shell/store.js knows CLASS, ROLE and OF_CLASS as well.
export const CLASS = "samplescope class",
  ROLE = "samplescope class role", // leads, learns, or shows on a projector
  OF_CLASS = "samplescope class answer ", // the class's answers, in a tab that leads or shows it
  LED = "samplescope class led", // the code of the class that was led here last
  MEMBER = "samplescope member ",
  NAME = "samplescope name";
export const TAKEN = "samplescope class answer",
  FOLLOWING = "samplescope following",
  SECRET = "samplescope class "; // MEMBER and SECRET with a code behind them
const forgetful = new Map();
export function remembered(store, name) {
  try {
    return store().getItem(name);
  } catch {
    return forgetful.get(name) ?? null;
  }
}
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
