/** Unicode text without NUL, which PostgreSQL's text can't hold. */
export const isText = (value: string): boolean => value.isWellFormed() && !value.includes("\0");

/** Whether every string of a JSON value, names included, is text that can be stored: no lone surrogate (RFC 7493 §2.1), no NUL. */
export const holdsText = (root: unknown): boolean => {
  // A list and no recursion: 64 KiB of brackets are deeper than the stack.
  const left = [root];
  for (const value of left) {
    if (typeof value === "string" && !isText(value)) return false;
    if (typeof value !== "object" || value === null) continue;
    if (!Object.keys(value).every(isText)) return false;
    left.push(...Object.values(value));
  }
  return true;
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
