// The learner's answers in a published course, which this browser keeps; as a file that the app takes in.

import { element } from "../player/canvas.js";
import { read, write } from "../shell/store.js";
import { linked, written } from "./map.js";
import { COURSE, json } from "./packs.js";
import { isRight, ticksOf } from "./step.js";
import { kept, triesOf } from "./store.js";

/** @import { Published, Told } from "../messages.js" */

/** @type {(step: Told, keys: string[]) => { right: boolean, words: string }} */
function judged({ question, goals }, keys) {
  if (question) {
    const { options } = question,
      words = options.filter(({ key }) => keys.includes(key)).map((one) => one.words);
    const element_ = element("i", "", keys[0].replace("-", "−"));
    return { right: isRight(question, keys), words: options.length ? words.join("; ") : element_.innerHTML };
  }
  const reached = goals.filter((goal) => ticksOf(goal, keys) === goal.seeds).length;
  return { right: reached === goals.length, words: `${reached} of ${goals.length} goals reached` };
}

/** @type {(main: HTMLElement) => Promise<void>} */
export async function showWork(main) {
  document.title = `My work · ${COURSE.title}`;
  const lessons = COURSE.sections.flatMap(({ lessons }) => lessons),
    begun = lessons.filter(({ id, questions }) => questions.some((step) => kept(`${id}/${step}`)));
  /** @type {object[]} */
  const answers = [];
  const parts = [];
  for (const { id, file } of begun) {
    /** @type {Published} */
    const lesson = await json(file);
    const list = element("ul", "answers");
    for (const step of lesson.steps) {
      const name = `${id}/${step.id}`,
        keys = kept(name);
      if (!keys || !(step.question || step.goals.length)) continue;
      const { right, words } = judged(step, keys),
        item = element("li", "");
      item.append(
        `${right ? "✓" : "✗"} `,
        linked(`#lesson=${id}&step=${step.id}`, step.title),
        " · ",
        written("b", "", words),
      );
      list.append(item);
      answers.push({ lesson: id, step: step.id, answer: keys, version: step.version, ...triesOf(name) });
    }
    const heading = written("h2", "", lesson.title);
    parts.push(Object.assign(heading, { lang: lesson.language, dir: lesson.dir }), list);
  }
  const tools = element("p", "tools-of-work"),
    name = Object.assign(element("input", ""), {
      type: "text",
      maxLength: 80,
      ariaLabel: "Your name, if you hand it in",
      placeholder: "Your name, if you hand it in",
    }),
    file = element("button", "", "As a file"),
    print = element("button", "", "Print"),
    remove = element("button", "", "Delete everything");
  file.onclick = () => save({ samplescope: "work", schema: 1, name: name.value, answers, moments: moments() });
  print.onclick = () => window.print();
  remove.onclick = () => {
    if (!confirm("This deletes all answers, kept moments and places in lessons from this browser, for good.")) return;
    for (const one of Object.keys(read())) write(one, null);
    showWork(main);
  };
  tools.append(name, " ", file, " ", print, " ", remove);
  main.replaceChildren(
    linked("#", "Course map"),
    element("h1", "", "My work"),
    element("p", "quiet", "Kept in this browser alone, without an account: others see it only if you hand it in."),
    ...(COURSE.hand_in ? [element("p", "", `Hand in: ${COURSE.hand_in}`)] : []),
    ...(parts.length ? [tools, ...parts] : [element("p", "", "Nothing yet: your answers will appear here.")]),
  );
}

/** @type {() => object[]} */
const moments = () =>
  Object.entries(read()).flatMap(([name, keys]) =>
    name.startsWith(".moment/") && Array.isArray(keys) ? [{ topic: keys[0], link: keys[1], note: keys[2] ?? "" }] : [],
  );

/** @type {(found: object) => void} */
function save(found) {
  const blob = new Blob([JSON.stringify(found, null, 1)], { type: "application/json" }),
    link = Object.assign(element("a", ""), { href: URL.createObjectURL(blob), download: "my-work.json" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
