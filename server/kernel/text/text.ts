/** Unicode text without NUL, which PostgreSQL's text type can't store. */
export const isText = (value: string): boolean => value.isWellFormed() && !value.includes("\0");

/** Scripts whose letters join (Unicode, Joining_Type): a joiner changes the shape of a letter. */
const joiningScripts = [
  "Arab",
  "Syrc",
  "Mong",
  "Nkoo",
  "Mand",
  "Adlm",
  "Rohg",
  "Phag",
  "Mani",
  "Phlp",
  "Sogd",
  "Chrs",
  "Ougr",
];
const joiningLetter = `(?=[\\p{L}\\p{M}\\p{Nd}])[${joiningScripts.map((script) => `\\p{scx=${script}}`).join("")}]`;

/** Unicode 17, Canonical_Combining_Class=Virama. */
export const viramas: readonly string[] =
  "94D 9CD A4D ACD B4D BCD C4D CCD D3B D3C D4D DCA E3A EBA F84 1039 103A 1714 1715 1734 17D2 1A60 1B44 1BAA 1BAB 1BF2 1BF3 2D7F A806 A82C A8C4 A953 A9C0 AAF6 ABED 10A3F 11046 11070 1107F 110B9 11133 11134 111C0 11235 112EA 1134D 113CE 113CF 113D0 11442 114C2 115BF 1163F 116B6 1172B 11839 1193D 1193E 119E0 11A34 11A47 11A99 11C3F 11D44 11D45 11D97 11F41 11F42 1612F"
    .split(" ")
    .map((code) => String.fromCodePoint(Number.parseInt(code, 16)));
const virama = `[${viramas.join("")}]`;

/** Places where a format character belongs to the orthography and changes what is displayed. */
const orthographic = new RegExp(
  [
    // Between words that are written together, as in Persian, if the second starts with a joining letter.
    `(?<=[\\p{L}\\p{M}\\p{Nd}])\\u200C(?=${joiningLetter})`,
    `(?<=${joiningLetter})\\u200D`,
    // After a virama, which displays as a half form, a ligature or itself (RFC 5892, A.1 and A.2; The Unicode Standard,
    // 12.1).
    `(?<=${virama})[\\u200C\\u200D]`,
    `(?<=[\\p{L}\\p{M}])[\\u200C\\u200D](?=${virama})`,
    // Before a register shifter of Khmer (The Unicode Standard, 16.4).
    "(?<=\\p{L})\\u200C(?=[\\u17C9\\u17CA])",
    // Emoji ZWJ sequences, and flags of regions by tags (UTS #51, ED-16 and ED-14a).
    "(?<=\\p{Extended_Pictographic}(?:\\uFE0F|\\p{Emoji_Modifier})?)\\u200D(?=\\p{Extended_Pictographic})",
    "\\u{1F3F4}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{3,6}\\u{E007F}",
    // Visible signs (Prepended_Concatenation_Mark), for example before an Arabic year.
    "[\\u0600-\\u0605\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u{110BD}\\u{110CD}]",
  ].join("|"),
  "gu",
);

/**
 * Text that can't change the appearance of a page: no control characters, no direction overrides, no line breaks, and
 * no invisible characters except those that orthography and emoji need.
 */
export const isPlain = (value: string): boolean => !/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(value.replace(orthographic, ""));

/** Spaces, characters without a glyph (Unicode, Default_Ignorable_Code_Point), and the blank Braille pattern. */
const unseen = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/gu;

export const canBeSeen = (value: string): boolean => value.replace(unseen, "") !== "";

/**
 * Whether every string of a JSON value, names included, is text that can be stored: no unpaired surrogate (RFC 7493
 * §2.1), no NUL.
 */
export const holdsText = (root: unknown): boolean => {
  // A list instead of recursion: 64 KiB of brackets can be nested deeper than the stack allows.
  const left = [root];
  for (const value of left) {
    if (typeof value === "string" && !isText(value)) return false;
    if (typeof value !== "object" || value === null) continue;
    if (!Array.isArray(value) && !Object.keys(value).every(isText)) return false;
    addMembers(left, value);
  }
  return true;
};

/** Adds the members one by one, because a list may have more elements than a call can have arguments. */
const addMembers = (list: unknown[], value: object): void => {
  for (const member of Array.isArray(value) ? value : Object.values(value)) list.push(member);
};

/** A string, with the colon after it if it is a member name, or a brace (RFC 8259 §4 and §7). */
const nameOrBrace = /("(?:[^"\\]|\\.)*")([ \t\r\n]*:)?|[{}]/g;

/**
 * Whether no object of a JSON text repeats a member name (RFC 7493 §2.3): some parsers take the first value, others the
 * last. Names are read from the text, because `JSON.parse` can return a name with an escape as another name (Node.js
 * issue 63785).
 * @param text valid JSON.
 */
export const namesOnce = (text: string): boolean => {
  const objects: Set<string>[] = [];
  for (const [token, string, colon] of text.matchAll(nameOrBrace)) {
    if (token === "{") objects.push(new Set());
    if (token === "}") objects.pop();
    if (string === undefined || colon === undefined) continue;
    const name = string.includes("\\") ? JSON.parse(string) : string.slice(1, -1);
    if (objects.at(-1)?.has(name)) return false;
    objects.at(-1)?.add(name);
  }
  return true;
};

/**
 * The values that we use are nested less deeply than this limit. Code that processes values within the limit may be
 * recursive.
 */
const maxDepth = 32;

/** Whether a JSON value is at most `maxDepth` levels deep. It is checked level by level, to avoid recursion. */
export const isShallow = (root: unknown): boolean => {
  let level = [root];
  for (let depth = 0; depth < maxDepth && level.length > 0; depth++) {
    level = level.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []));
  }
  return level.length === 0;
};
