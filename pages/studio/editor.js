// A text field with line numbers. Behind the field lies a mirror of it, a block a line, that wraps as the field does: it
// numbers the lines, marks those with problems and the step at hand, and makes the field as tall as its text.
// What is typed is told when one pauses, and kept in the browser until it is saved.

const HTML = `<section aria-label="Editor">
<div class="bar"><button type="button" data-act="save">Save</button><button type="button" data-act="drop">Undo all since the last save</button><span role="status"></span></div>
<div class="sheet"><div class="mirror" aria-hidden="true"></div><textarea aria-label="Text of the lesson" aria-describedby="keys" spellcheck="true" autocomplete="off" autocapitalize="off"></textarea></div>
<p class="quiet" id="keys">Tab indents; Escape, then Tab, leaves the text. Ctrl+S saves.</p>
<ul aria-label="Problems" class="problems"></ul></section>`;
const PAUSE = 350; // milliseconds without a key after which the text is told
const AGAIN = 1500; // milliseconds until it is told once more
const KEPT = "samplescope draft ";
/** @type {Record<string, string>} */
const LOOKS = { "": "bad", warning: "odd", note: "noted" };
const HEADING = /^## /gm;

/**
 * @typedef {{ file: string, version: number, text: string, base: string, fresh: boolean, seen: string, said: string,
 *   heard: number, saves: number, locked: boolean, jump: number, problems: [number, number, string, string][] }} Told
 *   by editor.py; a problem has its line, its column, what it is, and of what is none "warning" or "note"
 */
/** @typedef {(name: string, report: object) => void} Tell */

/** @type {(text: string) => number} */
export const stepsIn = (text) => text.match(HEADING)?.length ?? 0;

/** @type {(lines: string[], now: number) => [number, number]} */
export function stepAround(lines, now) {
  // the first line of the step that the line with number `now` is in, counted from 0, and that after its last one
  const start = lines.findLastIndex((text, number) => number < now && text.startsWith("## "));
  const end = lines.findIndex((text, number) => number >= now && text.startsWith("## "));
  return [start, end < 0 ? lines.length : end];
}

/** @type {(text: string, line: number, column: number) => [number, number]} */
export function placeIn(text, line, column) {
  // the nearest line that there is, and how many characters lie before the place in it
  const lines = text.split("\n"),
    row = Math.min(line, lines.length);
  return [
    row,
    lines.slice(0, row - 1).join("\n").length + Number(row > 1) + Math.min(column - 1, lines[row - 1].length),
  ];
}

/** @type {(text: string, back: boolean) => string} */
export const indented = (text, back) => (back ? text.replace(/^ {1,2}/gm, "") : text.replace(/^(?=.)/gm, "  "));

/** @type {(args: Component<Told>) => void} */
export default function ({ data: [data], parentElement: root, setStateValue }) {
  root.editor ??= begin(root);
  root.editor(data, setStateValue);
}

/** @type {(root: Component<Told>["parentElement"]) => (data: Told, tell: Tell) => void} */
function begin(root) {
  const holder = document.createElement("div");
  holder.innerHTML = HTML;
  root.append(holder);
  const [sheet, mirror, list, said] = /** @type {HTMLElement[]} */ (
    [".sheet", ".mirror", "ul", "[role=status]"].map((name) => holder.querySelector(name))
  );
  const [save, drop] = /** @type {HTMLButtonElement[]} */ (
    ["[data-act=save]", "[data-act=drop]"].map((name) => holder.querySelector(name))
  );
  const area = /** @type {HTMLTextAreaElement} */ (holder.querySelector("textarea"));
  /** @type {Told} */
  let data;
  /** @type {Tell} */
  let tell;
  /** @type {string | undefined} */
  let file;
  /** @type {number | undefined} */
  let version;
  /** @type {string | null | undefined} the text on which the one here was written, unless the server knows */
  let origin;
  /** @type {number | null} the step in which the cursor is */
  let section = null;
  /** @type {number | undefined} */
  let pause;
  /** @type {number | undefined} */
  let again;
  let note = "",
    jumped = 0,
    free = false,
    sent = 0,
    saves = 0;

  const dirty = () => area.value !== data.base;
  const line = () => area.value.slice(0, area.selectionStart).split("\n").length;
  const place = () => stepsIn(area.value.slice(0, area.selectionStart)); // among the steps
  /** @type {(more?: object) => void} */
  const flush = (more) => {
    // until it is heard: a report may get lost if the page is busy just then
    clearTimeout(pause);
    pause = undefined;
    clearTimeout(again);
    sent += 1;
    section = place();
    tell("told", { version, sent, saves, text: area.value, line: line(), ...more });
    again = setTimeout(() => holder.isConnected && flush(more), AGAIN);
  };

  function mark() {
    // the mirror, and what stands beside the buttons
    const lines = area.value.split("\n"),
      now = line();
    const [start, end] = stepAround(lines, now);
    while (mirror.children.length > lines.length) mirror.lastElementChild?.remove();
    while (mirror.children.length < lines.length) mirror.append(document.createElement("div"));
    lines.forEach((text, number) => {
      const block = mirror.children[number],
        wrong = data.problems.find(([where]) => where === number + 1);
      if (block.textContent !== text + "\u200b") block.textContent = text + "\u200b";
      const here = number >= start && number < end;
      block.className = `${here ? "here" : ""} ${text.startsWith("## ") ? "head" : ""} ${wrong ? LOOKS[wrong[3]] : ""}`;
    });
    save.disabled = data.locked || !dirty();
    drop.hidden = !dirty() || !data.seen; // a new file has not been saved
    said.textContent = data.locked
      ? "This file belongs to the app. Duplicate it to change it."
      : dirty() && !data.said.startsWith("Not")
        ? `Not saved. ${note}`
        : data.said;
    keep();
  }

  function keep() {
    try {
      if (dirty())
        localStorage.setItem(KEPT + data.file, JSON.stringify({ seen: origin ?? data.seen, text: area.value }));
      else localStorage.removeItem(KEPT + data.file);
    } catch {
      /* blocked or full */
    }
  }

  /** @type {() => { seen: string, text: string } | null} */
  function kept() {
    try {
      const found = JSON.parse(localStorage.getItem(KEPT + data.file) ?? "null");
      return typeof found?.text === "string" && typeof found.seen === "string" && found.text !== data.base
        ? found
        : null;
    } catch {
      return null;
    }
  }

  /** @type {(text: string) => void} */
  function fill(text) {
    // with the cursor where it was, as far as there is such a place
    const cursor = area.selectionStart;
    area.value = text;
    area.setSelectionRange(cursor, cursor);
  }

  /** @type {(to: number, column?: number) => void} */
  function jump(to, column = 1) {
    const [row, cursor] = placeIn(area.value, to, column);
    area.focus({ preventScroll: true });
    area.setSelectionRange(cursor, cursor);
    sheet.scrollTop = /** @type {HTMLElement} */ (mirror.children[row - 1]).offsetTop - sheet.clientHeight / 3;
    moved();
  }

  function moved() {
    // into another step?
    if (place() === section) return;
    mark();
    flush();
  }

  /** @type {(text: string) => void} */
  function type(text) {
    // as if by hand, so that the browser can undo it
    if (!document.execCommand("insertText", false, text))
      area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  }

  /** @type {(back: boolean) => void} */
  function indent(back) {
    const { selectionStart: from, selectionEnd: to, value } = area,
      start = value.lastIndexOf("\n", from - 1) + 1;
    if (from === to && !back) return type("  ");
    const text = indented(value.slice(start, to), back);
    area.setSelectionRange(start, to);
    type(text);
    area.setSelectionRange(start, start + text.length);
  }

  new ResizeObserver(() => {
    area.style.height = `${mirror.offsetHeight}px`;
  }).observe(mirror);
  area.addEventListener("input", () => {
    mark();
    clearTimeout(pause);
    pause = setTimeout(flush, PAUSE, {});
  });
  area.addEventListener("blur", () => {
    if (pause) flush();
  });
  for (const event of ["keyup", "click"]) area.addEventListener(event, moved);
  area.addEventListener("keydown", (event) => {
    if (event.key === "Tab" && !free && !event.ctrlKey && !event.altKey) {
      event.preventDefault();
      indent(event.shiftKey);
    }
    if (event.key !== "Shift") free = event.key === "Escape";
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation(); // Streamlit has keys of its own outside of fields
  });
  const store = () => {
    saves += 1;
    flush();
  };
  document.addEventListener("keydown", function hear(event) {
    // wherever on the page one is
    if (!holder.isConnected) return document.removeEventListener("keydown", hear);
    if (event.key?.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!save.disabled) store();
  });
  save.onclick = store;
  drop.onclick = () => {
    fill(data.base);
    mark();
    flush();
  };

  return (...now) => {
    [data, tell] = now;
    if (version !== data.version || sent === data.heard) clearTimeout(again);
    if (version !== data.version) {
      // a text from the server: a file that was opened, or what the form has set
      const before = data.fresh ? kept() : null;
      [version, saves, section] = [data.version, data.saves, null];
      origin = before?.seen; // as long as the server has not heard of it
      note = before ? "This is your text from before." : "";
      if (file !== data.file) [area.value, sheet.scrollTop] = ["", 0]; // and the cursor at its beginning
      file = data.file;
      fill(before?.text ?? data.text);
      if (before) flush({ kept: before.seen });
    } else origin = null;
    list.replaceChildren(
      ...data.problems.map(([row, column, message, kind]) => {
        const item = document.createElement("li"),
          button = document.createElement("button");
        [button.type, button.className] = ["button", LOOKS[kind]];
        button.innerHTML = `<b>Line ${+row}</b> `;
        button.append(kind ? `(a ${kind}) ${message}` : message);
        button.onclick = () => jump(row, column);
        item.append(button);
        return item;
      }),
    );
    area.readOnly = data.locked;
    mark();
    if (data.jump && data.jump !== jumped) jump(data.jump);
    jumped = data.jump;
  };
}
