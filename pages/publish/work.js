// The learner's answers in a published course: to read, to hand in, and to take to another browser.

import { element } from "../player/canvas.js";
import { asFile, asPage, begun, mark, moments, takeIn } from "./handed.js";
import { written } from "../form/looks.js";
import { linked } from "./map.js";
import { COURSE } from "./packs.js";
import { all, askAgain, put, triesOf } from "./store.js";
import { curveOfMine } from "./sure.js";

/** @import { Begun } from "./handed.js" */

const HERE = "Kept only in this browser, without an account. Others see it only if you hand it in.",
  ON_PLATFORM =
    "Your learning platform keeps your answers in this lesson. Each lesson has a page of its own like this one.";

/** @type {(label: string, onclick: () => void) => HTMLButtonElement} */
const button = (label, onclick) => Object.assign(element("button", "", label), { type: "button", onclick });

/** @type {(main: HTMLElement, said?: string) => Promise<void>} */
export async function showWork(main, said = "") {
  document.title = `My work · ${COURSE.title}`;
  const lessons = await begun(),
    again = (/** @type {string} */ words = "") => showWork(main, words);
  const verdicts = lessons.flatMap(({ answered }) => answered.map(({ verdict }) => verdict)),
    right = verdicts.filter((one) => one.right).length,
    note = element("p", "quiet", said);
  note.setAttribute("role", "status");
  const nothing = !verdicts.length && !moments().length;
  main.replaceChildren(
    linked("#", "Course map"),
    ...(COURSE.review.length ? [" · ", linked("#review", "Review")] : []),
    element("h1", "", "My work"),
    element("p", "quiet", COURSE.scorm ? ON_PLATFORM : HERE),
    ...(COURSE.hand_in ? [element("p", "", `Hand in: ${COURSE.hand_in}`)] : []),
    ...(nothing
      ? [element("p", "", "Nothing yet: your answers will appear here.")]
      : [element("p", "", `${right} of ${verdicts.length} answers right`), ...due(lessons), tools(lessons, again)]),
    note,
    ...curveOfMine(),
    ...keptMoments(again),
    ...lessons.flatMap((one) => part(one, again)),
    bring(again),
  );
}

/** @type {(begun: Begun[]) => HTMLElement[]} */
const due = (begun) =>
  COURSE.sections
    .filter((section) => section.due)
    .map(({ title, due, lessons }) => {
      const done = lessons.filter(({ id }) => begun.some(({ lesson }) => lesson.id === id)).length,
        many = `${lessons.length} lesson${lessons.length === 1 ? "" : "s"}`,
        line = element("p", "quiet");
      line.append(element("b", "", title), ` is due on ${due} · ${done} of ${many} begun`);
      return line;
    });

/** @type {(label: string) => HTMLInputElement} */
const field = (label) =>
  Object.assign(element("input", ""), { type: "text", maxLength: 80, ariaLabel: label, placeholder: label });

/** @type {(lessons: Begun[], again: () => void) => HTMLElement} */
function tools(lessons, again) {
  const box = element("p", "tools-of-work"),
    name = field("Your name, if you hand it in"),
    number = field(COURSE.ask),
    who = () => ({ name: name.value, number: number.value });
  box.append(
    name,
    ...(COURSE.ask ? [number] : []),
    button("To print or hand in", () => save("my-work.html", "text/html", asPage(who(), lessons, new Date()))),
    button("As a file", () =>
      save("my-work.json", "application/json", JSON.stringify(asFile(who(), lessons), null, 1)),
    ),
    button("Delete everything", () => {
      if (!confirm("This deletes all answers, kept moments and places in lessons from this browser, for good.")) return;
      for (const one of Object.keys(all())) put(one, null);
      again();
    }),
  );
  return box;
}

/** @type {(one: Begun, again: () => void) => HTMLElement[]} */
function part({ lesson, answered }, again) {
  const list = element("ul", "answers"),
    heading = written("h2", "", lesson.title);
  for (const { step, verdict } of answered) {
    const item = element("li", ""),
      many = triesOf(`${lesson.id}/${step.id}`).tries ?? 1;
    item.append(
      `${mark(verdict.right, verdict.some)} `,
      linked(`#lesson=${lesson.id}&step=${step.id}`, step.title),
      " · ",
      written("b", "", verdict.words),
      step.question && many > 1 ? ` · ${many} tries` : "",
    );
    list.append(item);
  }
  for (const one of [heading, list]) Object.assign(one, { lang: lesson.language, dir: lesson.dir });
  const steps = lesson.steps.map(({ id }) => id);
  const anew = button("Ask me again", () => {
    askAgain(lesson.id, steps);
    again();
  });
  return [heading, list, anew];
}

/** @type {(again: () => void) => HTMLElement[]} */
function keptMoments(again) {
  const kept = moments();
  if (!kept.length) return [];
  const list = element("ul", "moments");
  for (const [name, { topic, link, note }] of kept) {
    const names = new URLSearchParams(link),
      item = element("li", ""),
      words = element("i", "", note || topic.replaceAll("_", " ")).innerHTML,
      lesson = names.get("lesson");
    const there = lesson ? `#lesson=${lesson}&step=${names.get("step") ?? ""}` : "#";
    const remove = () => {
      put(name, null);
      again();
    };
    item.append(linked(there, words), " ", button("Remove", remove));
    list.append(item);
  }
  return [element("h2", "", "Kept moments"), list];
}

/** @type {(again: (said: string) => void) => HTMLElement} */
function bring(again) {
  const fold = element("details", "bring"),
    label = element("label", "", "The file that “As a file” made there "),
    file = Object.assign(element("input", ""), { type: "file", accept: ".json,application/json" });
  file.onchange = async () => {
    const text = await file.files?.[0]?.text();
    if (text !== undefined) again(await takeIn(text));
  };
  label.append(file);
  fold.append(element("summary", "", "Bring it from another browser"), label);
  return fold;
}

/** @type {(name: string, type: string, content: string) => void} */
function save(name, type, content) {
  const link = Object.assign(element("a", ""), {
    href: URL.createObjectURL(new Blob([content], { type })),
    download: name,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
