import { z } from "zod";
import { searchOwnAudit } from "../../../merchants/audit/search-merchant-audit.ts";
import { auditTopicNames } from "../../../merchants/rules/audit-actions.ts";
import { byMerchant, inputMerchant, memberProcedure, readsReplica, router } from "../../init.ts";

const id = z.string().max(64);
const instant = z.iso.datetime().transform((text) => new Date(text));

/** The audit log of a merchant (docs/spec/portal.md, Audit log of a merchant). */
export const merchantAuditRouter = router({
  list: memberProcedure("audit.list", inputMerchant)
    .use(readsReplica)
    .input(
      byMerchant.extend({
        topic: z.enum(auditTopicNames).optional(),
        actor: id.optional(),
        id: id.optional(),
        from: instant.optional(),
        until: instant.optional(),
        cursor: z.string().max(64).optional(),
        limit: z.int().min(1).max(100).default(50),
      }),
    )
    .query(async ({ ctx, input }) => {
      const { entries, nextCursor } = await searchOwnAudit(ctx.deps, input);
      return { entries: entries.map((entry) => ({ ...entry, at: entry.at.toISOString() })), nextCursor };
    }),
});
