import { z } from "zod";
import { type ExportCursor, exportPart } from "../../audit/export-audit.ts";
import { maxAuditPage, searchAudit } from "../../audit/search-audit.ts";
import { verifyAuditPart } from "../../audit/verify-audit.ts";
import { closeContradiction } from "../../charges/review/close-contradiction.ts";
import { listChargesUnderReview } from "../../charges/review/list-charges-under-review.ts";
import { listContradictions } from "../../charges/review/list-contradictions.ts";
import { searchChargeUnderReview } from "../../charges/review/search-charge-under-review.ts";
import { settleChargeUnderReview } from "../../charges/review/settle-charge-under-review.ts";
import { findActorId } from "../../operators/find-actor-id.ts";
import { findAttention } from "../../operators/find-attention.ts";
import { getMail, getMailTexts } from "../../platform/mail/get-mail.ts";
import { listMail } from "../../platform/mail/list-mail.ts";
import { retryMail } from "../../platform/mail/retry-mail.ts";
import { accountProcedure, operatorProcedure, pageFields, readsReplica, router } from "../init.ts";
import { finding, instant, operatorOf, reason } from "./operator-fields.ts";
import { toContradiction, toMail, toOperatorCharge } from "./operator-views.ts";

const id = z.string().max(200);

const byCharge = z.object({ chargeId: z.string().max(64) });

/** A position in an export as one text. It contains only the number of a shard and numbers of blocks. */
const cursorSchema = z
  .string()
  .max(400)
  .regex(/^\d+(\.\d+){2,}$/)
  .transform((text): ExportCursor => {
    const [shard = 0, after = 0, ...ends] = text.split(".").map(Number);
    return { shard, after, ends };
  });
const formatCursor = ({ shard, after, ends }: ExportCursor): string => [shard, after, ...ends].join(".");

/** Procedures for operators, across all tenants. */
export const operatorRouter = router({
  attention: accountProcedure("attention.read").query(({ ctx }) => findAttention(ctx.deps)),

  chargesUnderReview: accountProcedure("charge_under_review.list")
    .input(
      z.object({
        search: z.string().max(100).optional(),
        ...pageFields(50),
      }),
    )
    .query(async ({ ctx, input }) => {
      const { charges, hasMore } = await listChargesUnderReview(ctx.deps, input);
      return { charges: charges.map(toOperatorCharge), hasMore };
    }),

  searchCharge: operatorProcedure("charge_under_review.search")
    .input(byCharge.extend({ reason }))
    .mutation(async ({ ctx, input }) => {
      const act = { ...input, operatorId: ctx.account.id, requestId: ctx.info.requestId };
      return { found: await searchChargeUnderReview(ctx.deps, act) };
    }),

  settleCharge: operatorProcedure("charge_under_review.settle")
    .input(byCharge.extend({ reason, finding }))
    .mutation(async ({ ctx, input }) => {
      const act = { ...input, operatorId: ctx.account.id, requestId: ctx.info.requestId };
      return { state: (await settleChargeUnderReview(ctx.deps, act)).state };
    }),

  contradictions: accountProcedure("contradiction.list").query(async ({ ctx }) =>
    (await listContradictions(ctx.deps)).map(toContradiction),
  ),

  closeContradiction: operatorProcedure("contradiction.close")
    .input(z.object({ contradictionId: z.string().max(64), reason }))
    .mutation(({ ctx, input }) =>
      closeContradiction(ctx.deps, { ...input, operatorId: ctx.account.id, requestId: ctx.info.requestId }),
    ),

  outbox: accountProcedure("mail.list")
    .use(readsReplica)
    .input(
      z.object({
        state: z.enum(["pending", "kept", "sent", "failed"]).optional(),
        search: z.string().max(100).optional(),
        ...pageFields(50),
      }),
    )
    .query(async ({ ctx, input }) => {
      const { mail, hasMore } = await listMail(ctx.deps, input);
      return { mail: mail.map(toMail), hasMore };
    }),

  mail: operatorProcedure("mail.list")
    .input(z.object({ mailId: z.string().max(64) }))
    .query(async ({ ctx, input }) => toMail(await getMail(ctx.deps, input))),

  /** Needs a recent authentication, and is audited. */
  mailTexts: operatorProcedure("mail.read")
    .input(z.object({ mailId: z.string().max(64) }))
    .query(({ ctx, input }) => getMailTexts(ctx.deps, { ...input, ...operatorOf(ctx) })),

  retryMail: operatorProcedure("mail.retry")
    .input(z.object({ mailId: z.string().max(64), reason }))
    .mutation(({ ctx, input }) => retryMail(ctx.deps, { ...input, ...operatorOf(ctx) })),

  searchAudit: accountProcedure("audit.read")
    .use(readsReplica)
    .input(
      z.object({
        from: instant.optional(),
        to: instant.optional(),
        actorId: id.optional(),
        action: id.optional(),
        subjectId: id.optional(),
        requestId: id.optional(),
        cursor: z.string().max(64).optional(),
        limit: z.int().min(1).max(maxAuditPage).optional(),
      }),
    )
    .query(async ({ ctx, input }) => {
      const actorId = input.actorId && (await findActorId(ctx.deps, { name: input.actorId }));
      const { entries, nextCursor } = await searchAudit(ctx.deps, { ...input, actorId });
      return { entries: entries.map((entry) => ({ ...entry, at: entry.at.toISOString() })), nextCursor };
    }),

  /** JSON lines in parts. Joined in order, they form the file that `npm run audit -- verify --file` checks. */
  exportAudit: accountProcedure("audit.read")
    .input(z.object({ from: instant.optional(), to: instant.optional(), cursor: cursorSchema.optional() }))
    .query(async ({ ctx, input }) => {
      const { from = null, to = null, cursor = null } = input;
      const part = await exportPart(ctx.deps, { from, to, cursor });
      return { lines: part.lines, nextCursor: part.cursor && formatCursor(part.cursor) };
    }),

  /** Verifies one shard in parts, from its start. */
  verifyAudit: accountProcedure("audit.read")
    .input(z.object({ shard: z.int().min(0).max(1023), after: z.int().min(0).default(0) }))
    .query(({ ctx, input }) => verifyAuditPart(ctx.deps, input)),
});
