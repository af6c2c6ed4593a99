import { z } from "zod";
import { type Block, type BlockHeader, type ChainedEntry, entryToJson, headerToJson, type Layout } from "./chain.ts";

/** The start of each shard's chain in an export. */
type Beginning = { shard: number; number: number; hash: string; to: number };

/** One line of an export: a JSON object with one member that names its kind. */
export type ExportLine =
  | {
      export: {
        version: 1;
        issuer: string;
        madeAt: Date;
        from: Date | null;
        to: Date | null;
        layout: Layout;
        begin: Beginning[];
      };
    }
  | { block: Block; isOmitted: boolean }
  | { entry: ChainedEntry }
  | { head: string };

export const formatLine = (line: ExportLine): string => JSON.stringify(toJson(line));

const toJson = (line: ExportLine): object => {
  if ("export" in line) {
    const { version, issuer, madeAt, from, to, layout, begin } = line.export;
    const at = (date: Date | null) => date?.toISOString() ?? null;
    return { export: { version, issuer, made_at: at(madeAt), from: at(from), to: at(to), ...layout, begin } };
  }
  if ("block" in line) {
    const { block, isOmitted } = line;
    const marks = isOmitted ? "" : block.marks.toString("base64url");
    return { block: headerToJson(block), hash: block.hash, marks, ...(isOmitted ? { omitted: true } : {}) };
  }
  return "entry" in line ? { entry: entryToJson(line.entry) } : line;
};

const instant = z.iso.datetime().transform((text) => new Date(text));
const whole = z.int().min(0);

const exportSchema = z.strictObject({
  export: z.strictObject({
    version: z.literal(1),
    issuer: z.string(),
    made_at: instant,
    from: instant.nullable(),
    to: instant.nullable(),
    shards: z.int().min(1).max(1024),
    stripe: z.int().min(1),
    begin: z.array(z.strictObject({ shard: whole, number: whole, hash: z.string(), to: whole })),
  }),
});
const blockSchema = z.strictObject({
  block: z.strictObject({
    shard: whole,
    number: whole,
    made_at: instant,
    month: z.string(),
    from: whole,
    to: whole,
    entries: whole,
    content: z.string(),
    previous: z.string(),
  }),
  hash: z.string(),
  marks: z.string(),
  omitted: z.boolean().default(false),
});
const entrySchema = z.strictObject({
  entry: z.strictObject({
    seq: z.int(),
    at: instant,
    actor: z.strictObject({ kind: z.string(), id: z.string() }),
    action: z.string(),
    subject_id: z.string(),
    request_id: z.string(),
    data: z.record(z.string(), z.json()),
  }),
});
const headSchema = z.strictObject({ head: z.string() });

/** @throws Error if the text isn't a line of an export. */
export const parseLine = (text: string): ExportLine => {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) throw new Error("not a valid export line");
  if ("entry" in value) {
    const { entry } = entrySchema.parse(value);
    const { seq, at, actor, action, data } = entry;
    const ids = { actorKind: actor.kind, actorId: actor.id, subjectId: entry.subject_id, requestId: entry.request_id };
    return { entry: { seq, at, action, data, ...ids } };
  }
  if ("block" in value) {
    const { block, hash, marks, omitted } = blockSchema.parse(value);
    const { made_at: madeAt, ...rest } = block;
    const header: BlockHeader = { ...rest, madeAt };
    return { block: { ...header, hash, marks: Buffer.from(marks, "base64url") }, isOmitted: omitted };
  }
  if ("head" in value) return headSchema.parse(value);
  const { made_at: madeAt, shards, stripe, ...rest } = exportSchema.parse(value).export;
  return { export: { ...rest, madeAt, layout: { shards, stripe } } };
};
