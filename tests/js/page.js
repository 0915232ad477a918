// What modules find in a browser, as far as their tests need it.

export function page() {
  // a document and a window that know events, an element with nothing noted on it, and nothing else
  globalThis.document = Object.assign(new EventTarget(), { documentElement: { dataset: {} } });
  globalThis.window = new EventTarget();
  return globalThis.document;
}

export function memory(full = false) {
  // a Storage: its items are its own properties, as a browser has it
  const methods = {
    getItem(name) {
      return Object.hasOwn(this, name) ? this[name] : null;
    },
    setItem(name, value) {
      if (full) throw new Error("QuotaExceededError");
      this[name] = String(value);
    },
    removeItem(name) {
      delete this[name];
    },
  };
  return Object.create(methods);
}

export function heard(kind) {
  // the details of events of the document, as they come
  const details = [];
  document.addEventListener(kind, ({ detail }) => details.push(detail));
  return details;
}

export const tell = (kind, detail) => document.dispatchEvent(new CustomEvent(kind, { detail }));
