// For Node: the modules that the server makes, and so lie in no folder. Without their text, since no test draws anything.
import { registerHooks } from "node:module";

const MADE = {
  "./made.js": "export const HTML = '', CSS = '', PAGE_CSS = '';",
  "./sheet.js": "export const CSS = '';",
  "./worker.js": "export const SCRIPT = '';",
  "vega.js": "export default () => {};",
};

registerHooks({
  resolve(name, context, next) {
    const made = MADE[name] ?? (name.endsWith("/vega.js") ? MADE["vega.js"] : undefined);
    return made ? { url: `data:text/javascript,${encodeURIComponent(made)}`, shortCircuit: true } : next(name, context);
  },
});
