import { z } from "zod";
import { type ExportCursor, exportPart } from "../../audit/export-audit.ts";
import { maxAuditPage, searchAudit } from "../../audit/search-audit.ts";
import { verifyAuditPart } from "../../audit/verify-audit.ts";
import { accountProcedure, router } from "../init.ts";

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const id = z.string().max(200);

/** A place in an export, told as one text: it holds nothing but numbers of blocks. */
const cursorSchema = z
  .string()
  .max(400)
  .regex(/^\d+(\.\d+){2,}$/)
  .transform((text): ExportCursor => {
    const [shard = 0, after = 0, ...ends] = text.split(".").map(Number);
    return { shard, after, ends };
  });
const formatCursor = ({ shard, after, ends }: ExportCursor): string => [shard, after, ...ends].join(".");

/** What only operators may: all of it reads, across tenants. */
export const operatorRouter = router({
  searchAudit: accountProcedure("audit.read")
    .input(
      z.object({
        ...{ from: instant.optional(), to: instant.optional() },
        ...{ actorId: id.optional(), action: id.optional(), subjectId: id.optional(), requestId: id.optional() },
        ...{ cursor: z.string().max(64).optional(), limit: z.int().min(1).max(maxAuditPage).optional() },
      }),
    )
    .query(async ({ ctx, input }) => {
      const { entries, nextCursor } = await searchAudit(ctx.deps, input);
      return { entries: entries.map((entry) => ({ ...entry, at: entry.at.toISOString() })), nextCursor };
    }),

  /** JSON lines by parts: joined in order they are the file that `npm run audit -- verify --file` checks. */
  exportAudit: accountProcedure("audit.read")
    .input(z.object({ from: instant.optional(), to: instant.optional(), cursor: cursorSchema.optional() }))
    .query(async ({ ctx, input }) => {
      const { from = null, to = null, cursor = null } = input;
      const part = await exportPart(ctx.deps, { from, to, cursor });
      return { lines: part.lines, nextCursor: part.cursor && formatCursor(part.cursor) };
    }),

  /** One shard by parts, from its beginning on. */
  verifyAudit: accountProcedure("audit.read")
    .input(z.object({ shard: z.int().min(0).max(1023), after: z.int().min(0).default(0) }))
    .query(({ ctx, input }) => verifyAuditPart(ctx.deps, input)),
});
