// The judge's own script, for a thread of its own; written by bundle.py.
export const SCRIPT: string;
