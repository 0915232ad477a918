// Written by the server; see pages/player/modules.py.
export const CSS: string;
export const PAGE_CSS: string;
