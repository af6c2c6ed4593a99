export type ByteRange = { first: number; last: number };

/**
 * The single range that a Range header requests (RFC 9110 §14.1.2).
 * @returns null if the whole content must be sent, because the header is missing or malformed, has another unit, or
 *   requests several ranges (a server may ignore a range, §14.2). "unsatisfiable" if the range contains no byte.
 */
export const readByteRange = (header: string | null, size: number): ByteRange | "unsatisfiable" | null => {
  const { from, to } = /^bytes=\s*(?<from>\d*)-(?<to>\d*)\s*$/i.exec(header ?? "")?.groups ?? {};
  if (from === undefined || to === undefined || (from === "" && to === "")) return null;
  if (from === "") {
    const length = Math.min(Number(to), size);
    return length === 0 ? "unsatisfiable" : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  if (to !== "" && Number(to) < first) return null;
  return first >= size ? "unsatisfiable" : { first, last: to === "" ? size - 1 : Math.min(Number(to), size - 1) };
};
