/** The longest language tag that is stored. */
const maxTagLength = 35;

/** @returns the canonical form of a BCP 47 tag, for example `de-AT`; null if it isn't one that the runtime supports. */
export const readLanguageTag = (text: string): string | null => {
  if (text.length > maxTagLength) return null;
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(text)[0] ?? null;
  } catch {
    return null;
  }
};

/** The tags of an Accept-Language header, the preferred ones first, without those of quality 0 (RFC 9110 §12.5.4). */
export const acceptedTags = (header: string | null): string[] =>
  (header ?? "")
    .slice(0, 500)
    .split(",")
    .map(readRange)
    .filter(({ quality }) => quality > 0)
    .toSorted((left, right) => right.quality - left.quality)
    .map(({ tag }) => tag);

/** The preferred supported language of an Accept-Language header. */
export const preferredLanguage = (header: string | null): string | null => {
  for (const tag of acceptedTags(header)) {
    const found = readLanguageTag(tag);
    if (found !== null) return found;
  }
  return null;
};

const readRange = (text: string): { tag: string; quality: number } => {
  const [tag = "", ...parameters] = text.split(";").map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  return { tag, quality: quality === undefined ? 1 : Number(quality) || 0 };
};

/** @returns the zone's name, for example `Europe/Berlin`; null if it isn't a name that the runtime supports. */
export const readTimeZone = (text: string): string | null => {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(text)) return null;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
};
