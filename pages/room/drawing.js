// What the panels of a class are made of: elements, numbers in words, and what the browser keeps.
// Takes nothing from the other files; `site` is set by room.js. Words that come from others become text here, and never markup.

function el(tag, props = {}, ...children) {
  const { data = {}, aria = {}, ...own } = props, made = Object.assign(document.createElement(tag), own);
  for (const [name, value] of Object.entries(aria)) made.setAttribute(name === "role" ? name : `aria-${name}`, value);
  Object.assign(made.dataset, data);
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

const button = (text, onclick, props = {}) => el("button", { type: "button", textContent: text, onclick, ...props });
const counted = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;
const spelt = (code) => code.replace(/^(.{4})(.+)$/, "$1-$2"); // a code as people read it
const plainCode = (text) => text.toUpperCase().replace(/[^A-Z0-9]/g, "");
const minus = (text) => String(text).replace("-", "−");

const site = { folder: "/" }; // where the app lies on its server

const SVG_NS = "http://www.w3.org/2000/svg";
function svg(tag, places = {}, ...children) {
  const made = document.createElementNS(SVG_NS, tag);
  for (const [name, value] of Object.entries(places)) made.setAttribute(name, value);
  made.append(...children.flat());
  return made;
}

// What is kept in this tab, or in this browser; where that is blocked, it is forgotten with the page.
const forgetful = new Map();
function remembered(store, name) {
  try { return store().getItem(name); } catch { return forgetful.get(name) ?? null; }
}
function remember(store, name, value) {
  forgetful.set(name, value);
  try {
    if (value === null) store().removeItem(name);
    else store().setItem(name, value);
  } catch { /* blocked or full: this page knows it all the same */ }
}
const TAB = () => sessionStorage, BROWSER = () => localStorage;
