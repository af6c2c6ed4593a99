/**
 * A tsquery for names that contain every part of the text. A part also matches words that begin with it. PostgreSQL
 * doesn't split every name at the same characters as `words`: for PostgreSQL, `Booking.com` is one word, and so is a
 * word with vowel signs or a typographic apostrophe. Therefore, if a part isn't a single word, PostgreSQL also splits
 * the part, and a name may match either way.
 */
export const nameQuery = (text: string): string =>
  text
    .split(/[\t\n\v\f\r ]+/)
    .filter((part) => part !== "")
    .map(partQuery)
    .join(" & ");

const partQuery = (part: string): string => {
  const words = part.match(/[\p{L}\p{N}]+/gu) ?? [];
  const byWords = words.map((word) => `${word}:*`).join(" & ");
  if (words[0] === part) return byWords;
  // Names are usually stored in composed form.
  const wholes = [...new Set([part, part.normalize("NFC")])].map(quoted);
  return `(${[...(byWords === "" ? [] : [`(${byWords})`]), ...wholes].join(" | ")})`;
};

const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, "$&$&")}':*`;
