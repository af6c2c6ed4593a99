export type SearchEntry = {
  title: string;
  kind: string;
  href: string;
  /** other texts by which the entry is found */
  text: string;
};

const maxResults = 40;

/** Text of a contract without the backticks that mark code, as the results show it. */
export const withoutBackticks = (text: string): string => text.replaceAll("`", "");

/** Entries that contain every word of the query; those with a word in their title come first. */
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
