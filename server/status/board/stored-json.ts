/** JSON that preserves dates and bytes, for the files of the status process. */
export const toStoredJson = (value: unknown): string => JSON.stringify(mark(value));

/** @throws SyntaxError for truncated text. */
export const fromStoredJson = (text: string): unknown => unmark(JSON.parse(text));

const dateMark = "$date";
const bytesMark = "$bytes";

const mark = (value: unknown): unknown => {
  if (value instanceof Date) return { [dateMark]: value.toISOString() };
  if (value instanceof Uint8Array) return { [bytesMark]: Buffer.from(value).toString("base64url") };
  if (Array.isArray(value)) return value.map(mark);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mark(inner)]));
  return value;
};

const unmark = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(unmark);
  if (typeof value !== "object" || value === null) return value;
  if (dateMark in value && typeof value[dateMark] === "string") return new Date(value[dateMark]);
  if (bytesMark in value && typeof value[bytesMark] === "string")
    return Uint8Array.from(Buffer.from(value[bytesMark], "base64url"));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, unmark(inner)]));
};
