// The map of a published course: its lessons with what has been done, and the glossary.

import { element } from "../player/canvas.js";
import { COURSE } from "./packs.js";
import { written } from "../form/looks.js";
import { kept, leftAt } from "./store.js";

/** @import { OnMap } from "../messages.js" */

/** @type {(lesson: OnMap) => boolean} */
export const finished = ({ id, questions }) =>
  questions.length ? questions.every((step) => kept(`${id}/${step}`)) : leftAt(id) === "end";

/** @type {(href: string, html: string, className?: string) => HTMLAnchorElement} */
export const linked = (href, html, className = "") => Object.assign(written("a", className, html), { href });

/** @type {(main: HTMLElement) => void} */
export function showMap(main) {
  const { title, language, dir, sections, glossary, live } = COURSE,
    all = sections.flatMap(({ lessons }) => lessons),
    next = all.find((lesson) => !finished(lesson));
  document.title = title;
  const ways = element("p", "ways-in");
  if (next)
    ways.append(linked(`#lesson=${next.id}`, `${next === all[0] ? "Start here" : "Go on"}: ${next.title}`, "primary"));
  ways.append(linked("#work", "My work"));
  if (live) ways.append(linked(live, "The app, with all settings and free play"));
  const heading = Object.assign(element("h1", "", title), { lang: language, dir });
  main.replaceChildren(
    heading,
    ways,
    ...sections.map((section) => {
      const part = element("section", "part"),
        list = element("ol", "lessons");
      const name = Object.assign(element("h2", "course", section.title), { lang: language, dir });
      const drawings = element("div", "drawings");
      drawings.append(...section.pictures.map((src) => Object.assign(element("img", "thumbnail"), { src, alt: "" })));
      part.append(drawings, name);
      if (section.line) part.append(element("p", "quiet", section.line));
      if (section.due) part.append(element("p", "quiet", `Due on ${section.due}`));
      list.append(
        ...section.lessons.map((lesson) => {
          const item = Object.assign(element("li", ""), { value: lesson.number });
          const link = Object.assign(linked(`#lesson=${lesson.id}`, lesson.title), {
            lang: lesson.language,
            dir: lesson.dir,
          });
          item.append(link, " ", element("span", "quiet", finished(lesson) ? "✓ done" : `${lesson.minutes} min`));
          return item;
        }),
      );
      part.append(list);
      return part;
    }),
  );
  if (glossary.length) {
    const fold = element("details", "glossary"),
      terms = element("dl", "");
    for (const [term, meaning] of glossary) terms.append(element("dt", "", term), element("dd", "", meaning));
    fold.append(element("summary", "", "Glossary"), terms);
    main.append(fold);
  }
}
