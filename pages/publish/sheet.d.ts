// The style sheet of the page to hand in; written by bundle.py.
export const CSS: string;
