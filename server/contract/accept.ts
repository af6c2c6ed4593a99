type Range = { type: string; quality: number };

/**
 * Proactive negotiation (RFC 9110 §12.5.1): chooses the offered media type with the highest quality. If several types
 * have the highest quality, chooses the first of them.
 * @param accept the header; without it, every type is acceptable.
 * @param offered without parameters, lower case, our preference first.
 * @returns null if none is acceptable.
 */
export const negotiate = <T extends string>(accept: string | null, offered: readonly T[]): T | null => {
  if (accept === null || accept.trim() === "") return offered[0] ?? null;
  const ranges = parseAccept(accept);
  let best: { type: T; quality: number } | null = null;
  for (const type of offered) {
    const quality = qualityOf(type, ranges);
    if (quality > (best?.quality ?? 0)) best = { type, quality };
  }
  return best?.type ?? null;
};

const parseAccept = (accept: string): Range[] =>
  accept.split(",").flatMap((part) => {
    const [type = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    if (!/^[^\s/]+\/[^\s/]+$/.test(type)) return [];
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    // A malformed weight counts as 1. A malformed range is ignored.
    return [{ type, quality: /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 1 }];
  });

/** The most specific range decides. */
const qualityOf = (type: string, ranges: readonly Range[]): number => {
  for (const pattern of [type, `${type.split("/")[0]}/*`, "*/*"]) {
    const range = ranges.find((candidate) => candidate.type === pattern);
    if (range) return range.quality;
  }
  return 0;
};

/** Whether the header names the coding and doesn't refuse it by a weight of zero (RFC 9110 §12.5.3). */
const acceptsCoding = (coding: "gzip" | "br") => {
  const named = new RegExp(String.raw`(?:^|,)\s*${coding}\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?=,|$)`, "i");
  return (acceptEncoding: string | null): boolean => named.test(acceptEncoding ?? "");
};

export const acceptsGzip = acceptsCoding("gzip");

/** RFC 7932. */
export const acceptsBrotli = acceptsCoding("br");
