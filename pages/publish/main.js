// A published course: its map, its lessons, the learner's work, each at an address after the # of one page.

import { LessonPage } from "./lesson.js";
import { showMap } from "./map.js";
import { COURSE } from "./packs.js";
import { showReview } from "./returning.js";
import { begin } from "./scorm.js";
import { showWork } from "./work.js";
import { beginTelling } from "./xapi.js";

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
/** @type {LessonPage | null} */
let lesson = null;

async function route() {
  const asked = new URLSearchParams(location.hash.slice(1)),
    id = asked.get("lesson");
  if (lesson?.id === id && id) return lesson.follow(asked);
  lesson?.close();
  lesson = null;
  main.dir = id || asked.has("work") || asked.has("review") ? "" : COURSE.dir;
  if (id) {
    lesson = new LessonPage(main, id);
    await lesson.open(asked);
  } else if (asked.has("work")) await showWork(main);
  else if (asked.has("review")) showReview(main);
  else showMap(main);
  if (!id) main.focus();
}

const SOON = 300; // milliseconds after the first picture: 400 kB of fonts would be on the way together with what it needs

const withFaces = () =>
  setTimeout(() => {
    const faces = /** @type {HTMLStyleElement | null} */ (document.getElementById("faces"));
    if (faces) faces.media = "all";
  }, SOON);

document.addEventListener("samplescope:shown", withFaces, { once: true });
addEventListener("hashchange", route);
begin()
  .then(route)
  .then(() => lesson ?? withFaces());
beginTelling();
