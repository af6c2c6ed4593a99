/** Unicode text without NUL, which PostgreSQL's text can't hold. */
export const isText = (value: string): boolean => value.isWellFormed() && !value.includes("\0");

/** Nothing that could make a page read differently from what it says: no control, no direction, no line of its own. */
export const isPlain = (value: string): boolean => !/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(value);

/** Spaces, what fonts leave out (Unicode, Default_Ignorable_Code_Point), and the one blank symbol (Braille without dots). */
const unseen = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/gu;

export const canBeSeen = (value: string): boolean => value.replace(unseen, "") !== "";

/** Whether every string of a JSON value, names included, is text that can be stored: no lone surrogate (RFC 7493 §2.1), no NUL. */
export const holdsText = (root: unknown): boolean => {
  // A list and no recursion: 64 KiB of brackets are deeper than the stack.
  const left = [root];
  for (const value of left) {
    if (typeof value === "string" && !isText(value)) return false;
    if (typeof value !== "object" || value === null) continue;
    if (!Array.isArray(value) && !Object.keys(value).every(isText)) return false;
    addMembers(left, value);
  }
  return true;
};

/** One by one: a call takes fewer arguments than a list may have members. */
const addMembers = (list: unknown[], value: object): void => {
  for (const member of Array.isArray(value) ? value : Object.values(value)) list.push(member);
};

/** A string, and the colon behind it where that is a member's name (RFC 8259 §7). */
const jsonString = /"(?:[^"\\]|\\.)*"([ \t\r\n]*:)?/g;

/**
 * Whether no object of a JSON text names a member twice (RFC 7493 §2.3): one reader would take the first, another the last.
 * @param root the text, parsed.
 */
export const namesOnce = (text: string, root: unknown): boolean => {
  let names = 0;
  for (const [, colon] of text.matchAll(jsonString)) if (colon !== undefined) names += 1;
  const left = [root];
  for (const value of left) {
    if (typeof value !== "object" || value === null) continue;
    if (!Array.isArray(value)) names -= Object.keys(value).length;
    addMembers(left, value);
  }
  return names === 0;
};

/** Deeper than anything of ours: what walks a value by recursion is safe from here on. */
const maxDepth = 32;

/** Whether a JSON value nests no deeper than that. Level by level, for the same reason as above. */
export const isShallow = (root: unknown): boolean => {
  let level = [root];
  for (let depth = 0; depth < maxDepth && level.length > 0; depth++) {
    level = level.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
  }
  return level.length === 0;
};
