// A chart along a part of a run, as a film or as pictures, for slides that play no web. It is made here, step by step.

import { captionedCanvas, png } from "./captioned.js";
import { zipped } from "./zip.js";

/** @import { Player } from "./player.js" */
/** @typedef {{ name: string, source: string, paper: string }} Wanted chart, with the last line of its caption */

const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/mp4"]; // the first that a browser can write
const LASTS = 1000; // milliseconds that the last picture stays
const LATE = 10_000; // milliseconds that a busy machine may need until it has written what it was given
const HEAD = 500; // bytes of a film without a picture, and some

/** @type {(milliseconds?: number) => Promise<unknown>} without a number, until something new has been painted */
const wait = (milliseconds) =>
  new Promise((done) => (milliseconds === undefined ? requestAnimationFrame(done) : setTimeout(done, milliseconds)));

/** @type {(player: Player, t: number) => Promise<void>} */
async function reached(player, t) {
  player.settle(t);
  while (player.at !== t || player.state.wanted !== null) {
    if (!player.root.isConnected) throw new Error("the player is gone");
    await wait();
  }
  player.painter.place("running", true); // what is drawn at rest alone belongs to another iteration
}

/** @type {(player: Player, chart: Wanted, count: number, say: (done: number) => void) => Promise<Blob[]>} */
async function pictures(player, { name, source, paper }, count, say) {
  // of this iteration, and of as many after it
  const start = player.at,
    last = Math.min(start + count, player.state.total),
    { view, figure } = player.painter.moment(),
    made = [];
  player.do({ type: "pause" });
  try {
    for (let t = start; t <= last; t++) {
      await reached(player, t);
      made.push(await png(await captionedCanvas(view(name), figure(name), paper, source)));
      say(made.length);
    }
  } finally {
    player.settle(start);
    player.painter.place("running", false);
    player.painter.run();
  }
  return made;
}

/** @type {(made: Blob[], start: number) => Promise<Blob>} */
async function album(made, start) {
  const files = made.map(async (picture, i) => ({
    name: `${String(start + i).padStart(5, "0")}.png`,
    bytes: new Uint8Array(await picture.arrayBuffer()),
  }));
  return new Blob([zipped(await Promise.all(files))], { type: "application/zip" });
}

const KIND = KINDS.find((kind) => globalThis.MediaRecorder?.isTypeSupported(kind));

/** @type {(made: Blob[], rate: number) => Promise<Blob>} */
async function film(made, rate) {
  // takes as long as the film lasts
  const canvas = document.createElement("canvas"),
    pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")),
    bitmaps = [];
  for (const picture of made) bitmaps.push(await createImageBitmap(picture));
  canvas.width = 2 * Math.floor(Math.max(...bitmaps.map(({ width }) => width)) / 2); // films have even sides
  canvas.height = 2 * Math.floor(Math.max(...bitmaps.map(({ height }) => height)) / 2);
  const stream = canvas.captureStream(0),
    track = /** @type {CanvasCaptureMediaStreamTrack} */ (stream.getVideoTracks()[0]),
    recorder = new MediaRecorder(stream, { mimeType: KIND }),
    parts = /** @type {Blob[]} */ ([]),
    stopped = new Promise((done) => (recorder.onstop = done));
  /** @type {(bitmap: ImageBitmap | undefined, lasts: number) => Promise<unknown>} */
  const show = (bitmap, lasts) => {
    pen.drawImage(/** @type {ImageBitmap} */ (bitmap), 0, 0);
    track.requestFrame();
    return wait(lasts);
  };
  let wrote = performance.now();
  recorder.ondataavailable = ({ data }) => {
    parts.push(data);
    wrote = performance.now();
  };
  recorder.start(1); // what is written comes at once
  for (const bitmap of bitmaps) await show(bitmap, 1000 / rate);
  await wait(LASTS);
  await show(bitmaps.at(-1), 0); // a film ends with its last picture's beginning
  const rests = () => performance.now() - wrote > LASTS && new Blob(parts).size > HEAD;
  for (const end = performance.now() + LATE; !rests() && performance.now() < end;) await wait(50);
  recorder.stop(); // what is not written yet is lost
  await stopped;
  const film = new Blob(parts, { type: KIND });
  if (film.size <= HEAD) throw new Error("the film has no picture");
  return film;
}

export class Clips {
  films = KIND !== undefined; // whether this browser writes them

  /** @param {Player} player */
  constructor(player) {
    this.player = player;
  }

  locked() {
    return ["play", "step", "scrub"].some((act) => this.player.locked(act));
  }

  /** @type {(what: string, name: string, many: number, source: string, say: (words: string) => void) => Promise<Blob>} */
  async made(what, name, many, source, say) {
    const { player } = this,
      start = player.at,
      chart = { name, source, paper: player.painter.moment().paper },
      found = await pictures(player, chart, many, (done) => say(`${done} of ${many + 1} pictures`));
    if (what === "frames") return album(found, start);
    say("Writing the film, which takes as long as it lasts …");
    return film(found, player.state.speed);
  }
}
