// A file that is dropped on a topic's picture goes to the upload among the controls, which is asked for if it is not there.
// While a file is dragged over the page, a frame shows where to drop it; elsewhere the page stays as it is.

const STAGE = ".st-key-stage",
  ZONE = "[data-testid=stFileUploaderDropzone]", // Streamlit's own place to drop
  INPUT = "[data-testid=stFileUploaderDropzoneInput]",
  UPLOAD = "[data-testid=stFileUploader]",
  READ = ".st-key-read-as"; // the end of what is said of a file (panel.py)
const PATIENCE = 20000; // milliseconds until the upload is there, and until its file is read

/** @type {(() => void) | undefined} has the page show the upload */
let ask;
/** @type {HTMLElement | ShadowRoot | undefined} */
let root;
/** @type {HTMLElement | undefined} */
let frame;

/** @type {(event: DragEvent) => boolean} */
export const brings = ({ dataTransfer }) => Boolean(dataTransfer?.types.includes("Files"));

/** @type {(event: DragEvent) => Element | null} */
const within = ({ target }) => /** @type {Element} */ (target).closest?.(STAGE) ?? null;

/** @type {(event: DragEvent) => boolean} */
const isOurs = (event) =>
  Boolean(root?.isConnected) && brings(event) && !(/** @type {Element} */ (event.target).closest?.(ZONE));

function hide() {
  frame?.remove();
  frame = undefined;
}

/** @type {(inside: boolean) => void} */
function show(inside) {
  const stage = document.querySelector(STAGE);
  if (!stage) return;
  frame ??= Object.assign(document.createElement("div"), { className: "drop-here" });
  stage.closest(".stMain")?.append(frame); // where its colours are
  frame.textContent = inside ? "Let go: the data are read from this file" : "Drop the file here to use its data";
  frame.classList.toggle("inside", inside);
  const { top, left, right, bottom } = stage.getBoundingClientRect();
  Object.assign(frame.style, {
    top: `${Math.max(top, 0)}px`,
    left: `${left}px`,
    width: `${right - left}px`,
    height: `${Math.min(bottom, innerHeight) - Math.max(top, 0)}px`,
  });
}

/** @type {<E extends Element>(selector: string, then: (found: E) => void) => boolean} */
function when(selector, then) {
  // as soon as there is such an element; whether there is one now
  const look = () => {
    const found = document.querySelector(selector);
    if (found) then(/** @type {any} */ (found));
    return Boolean(found);
  };
  if (look()) return true;
  const waiting = new MutationObserver(() => look() && waiting.disconnect());
  waiting.observe(document.body, { subtree: true, childList: true });
  setTimeout(() => waiting.disconnect(), PATIENCE);
  return false;
}

/** @type {(files: File[], input: HTMLInputElement) => void} */
function put(files, input) {
  const list = new DataTransfer();
  for (const file of input.multiple ? files : files.slice(0, 1)) list.items.add(file);
  input.files = list.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  when(READ, () => document.querySelector(UPLOAD)?.scrollIntoView()); // what was read is far below the other controls
}

/** @type {(files: File[]) => void} */
function give(files) {
  const there = when(INPUT, (/** @type {HTMLInputElement} */ input) => put(files, input));
  if (!there) ask?.();
}

/** @type {Record<string, (event: DragEvent) => void>} */
const hears = {
  dragover: (event) => {
    if (!isOurs(event)) return hide();
    event.preventDefault(); // else the browser would leave the page for the file
    const inside = Boolean(within(event));
    if (event.dataTransfer) event.dataTransfer.dropEffect = inside ? "copy" : "none";
    show(inside);
  },
  dragleave: ({ relatedTarget }) => {
    if (!relatedTarget) hide();
  },
  drop: (event) => {
    hide();
    if (!isOurs(event)) return;
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length && within(event)) give(files);
  },
};
for (const [kind, hear] of Object.entries(hears))
  document.addEventListener(kind, /** @type {EventListener} */ (hear), true);

/** @type {(args: Component<null>) => () => void} */
export default function ({ parentElement, setStateValue }) {
  root = parentElement;
  ask = () => setStateValue("asked", Date.now());
  return hide;
}
