import { toCsvLine } from "#server/kernel/text/csv.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import type { Progress } from "./verify-chain.ts";

export type AuditFilter = Omit<NonNullable<Parameters<typeof trpc.operator.searchAudit.query>[0]>, "cursor" | "limit">;

type Page = Awaited<ReturnType<typeof trpc.operator.searchAudit.query>>;
type Entry = Page["entries"][number];

const columns = ["seq", "at", "actor_kind", "actor_id", "action", "subject_id", "request_id", "data"];

const rowOf = (entry: Entry): string =>
  toCsvLine([
    String(entry.seq),
    entry.at,
    entry.actorKind,
    entry.actorId,
    entry.action,
    entry.subjectId,
    entry.requestId,
    JSON.stringify(entry.data),
  ]);

/** Exports the entries that match the filter, newest first. @returns null if the export was stopped. */
export const exportCsv = async (filter: AuditFilter, { isStopped, show }: Progress): Promise<string | null> => {
  const rows = [toCsvLine(columns)];
  for (let cursor: string | null = null; ; ) {
    if (isStopped()) return null;
    const page: Page = await trpc.operator.searchAudit.query({ ...filter, limit: 500, ...(cursor ? { cursor } : {}) });
    rows.push(...page.entries.map(rowOf));
    show(`${(rows.length - 1).toLocaleString("en-GB")} entries exported`);
    cursor = page.nextCursor;
    if (cursor === null) return rows.join("");
  }
};

type Part = Awaited<ReturnType<typeof trpc.operator.exportAudit.query>>;

/**
 * Exports all chains with their proof, and the entries of the period. `npm run audit -- verify --file` checks the file.
 * @returns null if the export was stopped.
 */
export const exportLines = async ({ from, to }: AuditFilter, { isStopped, show }: Progress): Promise<string | null> => {
  const lines: string[] = [];
  for (let cursor: string | null = null; ; ) {
    if (isStopped()) return null;
    const part: Part = await trpc.operator.exportAudit.query({
      ...(from ? { from } : {}),
      ...(to ? { to } : {}),
      ...(cursor ? { cursor } : {}),
    });
    lines.push(...part.lines);
    show(`${lines.length.toLocaleString("en-GB")} lines exported`);
    cursor = part.nextCursor;
    if (cursor === null) return `${lines.join("\n")}\n`;
  }
};

export const saveFile = (text: string, { name, type }: { name: string; type: string }): void => {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
};
