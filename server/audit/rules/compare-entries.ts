import { type Block, type ChainedEntry, hashContent, hashEntry, markBytes } from "./chain.ts";

/**
 * Compares a block with the existing entries. Returns no problems if the block and the entries are as they were
 * chained, byte for byte and in order. If the marks allow it, a problem names the entry that was changed or inserted,
 * or the place where entries are missing.
 */
export const compareEntries = (block: Block, entries: readonly ChainedEntry[]): string[] => {
  const hashes = entries.map(hashEntry);
  const found = hashes.map((entryHash) => entryHash.subarray(0, markBytes).toString("hex"));
  const expected = splitMarks(block.marks);
  const isWhole = entries.length === block.entries && hashContent(hashes) === block.content;
  if (isWhole)
    return found.join() === expected.join() ? [] : ["the block's metadata was changed; its entries are complete"];
  let head = 0;
  while (head < Math.min(found.length, expected.length) && found[head] === expected[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(found.length, expected.length) - head && found.at(-1 - tail) === expected.at(-1 - tail))
    tail += 1;
  const others = entries.slice(head, entries.length - tail);
  const lacking = expected.length - head - tail;
  if (expected.length !== block.entries || (others.length === 0 && lacking === 0)) {
    return [`the entries of the block are not the ${block.entries} entries that were chained`];
  }
  const names = others.map(({ seq }) => seq);
  if (lacking === others.length) return names.map((seq) => `entry ${seq} was changed`);
  if (lacking === 0) return names.map((seq) => `entry ${seq} was inserted`);
  const place = `after ${seqText(entries[head - 1]) ?? "the start of the block"}${before(entries[entries.length - tail])}`;
  if (others.length === 0) return [`${lacking} ${lacking === 1 ? "entry is" : "entries are"} missing ${place}`];
  const replaced = lacking === 1 ? "1 chained entry" : `${lacking} chained entries`;
  const substitutes = names.map((seq) => `entry ${seq}`).join(", ");
  return [`${replaced} ${place} ${lacking === 1 ? "was" : "were"} replaced by ${substitutes}`];
};

const seqText = (entry: ChainedEntry | undefined): string | null => (entry ? `entry ${entry.seq}` : null);
const before = (entry: ChainedEntry | undefined): string => (entry ? ` and before entry ${entry.seq}` : "");

const splitMarks = (marks: Buffer): string[] =>
  Array.from({ length: Math.ceil(marks.length / markBytes) }, (_, index) =>
    marks.subarray(index * markBytes, (index + 1) * markBytes).toString("hex"),
  );
