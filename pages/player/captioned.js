// A chart as pixels for a slide: what stands above it on the page, title, numbers and legend, below it.

const LEAST = 1600; // pixels across, so that it stays sharp on a projector
const LINE = 22; // pixels of the page from one line of words to the next
const SIGN = 22; // pixels that the sign of a key takes, before its words

/** @typedef {{ text: string, style: Sign }} Key of a legend, with the style of its sign */
/** @typedef {{ borderTopColor: string, borderTopStyle: string, borderTopWidth: string, opacity: string }} Sign */

/** @type {(canvas: HTMLCanvasElement) => Promise<Blob>} */
export const png = (canvas) =>
  new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture")))));

// Of a Vega view and its figure: pixels on the page's paper, with the source as the last line.
/** @type {(view: View, figure: HTMLElement, paper: string, source: string) => Promise<HTMLCanvasElement>} */
export async function captionedCanvas(view, figure, paper, source) {
  const scale = Math.max(2, LEAST / (view.container()?.clientWidth ?? LEAST));
  const chart = await view.background(paper).toCanvas(scale);
  await view.background(null).runAsync();
  const words = /** @type {HTMLElement} */ (figure.querySelector("figcaption")),
    { color, fontFamily } = getComputedStyle(words);
  const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  const font = (/** @type {number} */ weight, size = 14) => (pen.font = `${weight} ${size}px ${fontFamily}`);
  font(400);
  const wide = chart.width / scale,
    measured = (/** @type {{ text: string }} */ { text }) => pen.measureText(text).width;
  const rows = laidOut(keysOf(words), wide, measured);
  font(400, 9);
  const last = broken(source, wide - 8, measured);
  const lines = 1.5 + rows.length + last.length;
  Object.assign(pen.canvas, { width: chart.width, height: chart.height + scale * LINE * lines });
  pen.fillStyle = paper;
  pen.fillRect(0, 0, pen.canvas.width, pen.canvas.height);
  pen.drawImage(chart, 0, 0);
  pen.scale(scale, scale);
  pen.textRendering = "geometricPrecision"; // letters are spaced for the size that they have here
  pen.fillStyle = color;
  let y = chart.height / scale + LINE;
  font(600);
  const title = words.querySelector("b")?.textContent ?? "";
  pen.fillText(title, 4, y);
  const after = 4 + pen.measureText(`${title} `).width;
  font(400);
  pen.fillText(words.querySelector(".now")?.textContent ?? "", after, y);
  for (const row of rows) {
    y += LINE;
    for (const { x, text, style } of row) {
      sign(pen, x, y - 5, style);
      pen.fillStyle = color;
      pen.fillText(text, x + SIGN, y);
    }
  }
  font(400, 9);
  pen.globalAlpha = 0.72;
  for (const text of last) pen.fillText(text, 4, (y += LINE));
  return pen.canvas;
}

// The keys of a legend that are seen, each with the style of its sign.
/** @type {(words: HTMLElement) => Key[]} */
const keysOf = (words) =>
  [...words.querySelectorAll(".key:not(.absent)")].map((key) => ({
    text: key.textContent ?? "",
    style: getComputedStyle(key, "::before"),
  }));

// Keys in rows of a width, each with where it begins.
/**
 * @template {{ text: string }} Words
 * @param {Words[]} keys
 * @param {number} wide
 * @param {(key: Words) => number} measured
 */
export function laidOut(keys, wide, measured) {
  /** @type {(Words & { x: number })[][]} */
  const rows = [];
  let x = Infinity;
  for (const key of keys) {
    const takes = SIGN + measured(key) + 14;
    if (x + takes > wide) {
      rows.push([]);
      x = 4;
    }
    rows[rows.length - 1].push({ ...key, x });
    x += takes;
  }
  return rows;
}

// A text without blanks, in lines of a width.
/** @type {(text: string, wide: number, measured: (line: { text: string }) => number) => string[]} */
export function broken(text, wide, measured) {
  const lines = [""];
  for (const letter of text) {
    if (measured({ text: lines[lines.length - 1] + letter }) > wide) lines.push("");
    lines[lines.length - 1] += letter;
  }
  return lines;
}

// The line or the patch of colour before a key's words, as the page draws it with a border.
/** @type {(pen: CanvasRenderingContext2D, x: number, y: number, style: Sign) => void} */
function sign(pen, x, y, { borderTopColor, borderTopStyle, borderTopWidth, opacity }) {
  const thick = Number.parseFloat(borderTopWidth);
  if (!thick) return; // the words begin with the sign
  pen.beginPath();
  pen.setLineDash(borderTopStyle === "dashed" ? [6, 3] : borderTopStyle === "dotted" ? [thick, thick] : []);
  pen.strokeStyle = borderTopColor;
  pen.lineWidth = thick;
  pen.moveTo(x, y);
  pen.lineTo(x + 16, y);
  pen.globalAlpha = Number(opacity);
  pen.stroke();
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}
