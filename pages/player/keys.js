// The keys of the page. A question is answered by the number keys, which choose, and by Enter, which checks. PageDown and
// PageUp, which a presenter's remote sends, go to the next step and back. Others play and step.

import { CONTROL } from "./bar.js";
import { stepped } from "./stepping.js";

/** @import { Player } from "./player.js" */
/** @import { Act } from "./transport.js" */

const PRESSED = "button, summary, a"; // what Space or Enter presses if it has the focus

/** @type {Record<string, string>} */
const TURNS = { PageDown: ".st-key-next button", PageUp: ".st-key-back button" };

/** @type {(selector: string, within?: ParentNode) => HTMLElement | null} */
const pressable = (selector, within = document) => within.querySelector(selector);

/** @type {(key: string, target: Element, pointed: boolean) => boolean} */
export function turned(key, target, pointed) {
  // whether it was such a key, and the lesson has a step there; a slider that was reached by Tab moves by it
  if (!pointed && target.matches?.("[type=range]")) return false;
  const button = key in TURNS && pressable(`${TURNS[key]}:not(:disabled)`);
  if (button) button.click();
  return Boolean(button);
}

/** @type {(event: KeyboardEvent, pointed: boolean) => boolean} */
export function answered({ key, target }, pointed) {
  // whether it was such a key; after a click, none is for what was clicked
  const question = pressable(".st-key-question"),
    on = /** @type {Element} */ (target);
  if (!question?.offsetParent || question.closest?.("[data-held]") || (!pointed && on.closest?.(PRESSED))) return false;
  /** @type {NodeListOf<HTMLElement>} */
  const choices = question.querySelectorAll(".choices label");
  const found =
    key === "Enter"
      ? pressable(".st-key-check button:not(:disabled)", question)
      : /^[1-9]$/.test(key) && choices[+key - 1];
  if (found) found.click();
  return Boolean(found);
}

/** @type {Record<string, Act>} */
const KEYS = {
  " ": "play",
  ArrowRight: "step",
  ArrowLeft: "back",
  Home: "first",
  End: "last",
  "+": "faster",
  "-": "slower",
};

/** @type {(player: Player, event: KeyboardEvent) => void} */
export function pressed(player, event) {
  // keys of the player itself come last
  if (!player.root.isConnected) return player.close();
  if (player.poster || player.host.closest("[inert]")) return; // a class is paused
  const target = /** @type {HTMLElement} */ (event.composedPath()[0]);
  if (event.key === "Tab") player.pointed = false;
  if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
  if (stepped(event.key, target)) return event.preventDefault();
  if (
    target.closest?.(
      "input:not([type=range], [type=radio]), textarea, select, [role=slider], [role=listbox], [contenteditable=true]",
    )
  )
    return;
  if (turned(event.key, target, player.pointed) || answered(event, player.pointed)) return event.preventDefault();
  // whoever walks by Tab presses buttons by Space and moves among choices by arrows; after a click, both are the player's
  if (!player.pointed && target.closest?.("[role=radio], [role=tab], [type=radio]")) return;
  if (/** @type {HTMLInputElement} */ (target).type === "range" && target !== player.bar.scrub) return;
  if (event.key === "t") return player.reading.open();
  const name = KEYS[event.key];
  if (!name) player.reporter.flush();
  if (!name || (event.key === " " && !player.pointed && target.closest?.(PRESSED))) return;
  if (event.key === " ") /** @type {HTMLElement | null | undefined} */ (target.closest?.(PRESSED))?.blur(); // or it would be pressed again when the key is let go
  if (player.locked(CONTROL[name] ?? name)) return;
  event.preventDefault();
  event.stopPropagation();
  player.act(name);
}
