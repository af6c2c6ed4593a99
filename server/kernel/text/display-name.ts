import { canBeSeen, isPlain, isText } from "./text.ts";

const maxNameLength = 80;

export const tidyName = (name: string): string => name.trim().replace(/\s+/g, " ");

/** Whether a normalized name of a person can be stored and shown. */
export const isDisplayName = (name: string): boolean =>
  [...name].length <= maxNameLength && isText(name) && isPlain(name) && canBeSeen(name);
