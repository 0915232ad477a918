// Written by the server; see modules.py.
export const HTML: string;
export const CSS: string;
