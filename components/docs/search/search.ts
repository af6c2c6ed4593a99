export type SearchEntry = {
  title: string;
  kind: string;
  href: string;
  /** other texts by which the entry is found */
  text: string;
};

const maxResults = 40;

/** A text as the results show it, without the backticks that mark code. */
export const withoutBackticks = (text: string): string => text.replaceAll("`", "");

/** Entries that contain every word of the query. Entries whose title contains more of the words are listed first. */
export const search = (entries: readonly SearchEntry[], query: string): SearchEntry[] => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found = entries.flatMap((entry) => {
    const title = withoutBackticks(entry.title).toLowerCase();
    const all = `${title} ${entry.kind} ${withoutBackticks(entry.text)}`.toLowerCase();
    if (!words.every((word) => all.includes(word))) return [];
    return [{ entry, rank: words.filter((word) => title.includes(word)).length }];
  });
  return found
    .toSorted((left, right) => right.rank - left.rank)
    .slice(0, maxResults)
    .map(({ entry }) => entry);
};
