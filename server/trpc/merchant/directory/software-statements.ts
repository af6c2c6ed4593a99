import { z } from "zod";
import { issueSoftwareStatement } from "../../../oauth/software-statements/issue-software-statement.ts";
import {
  findSoftwareStatementMerchant,
  listSoftwareStatements,
} from "../../../oauth/software-statements/list-software-statements.ts";
import { revokeSoftwareStatement } from "../../../oauth/software-statements/revoke-software-statement.ts";
import { byMerchant, inputMerchant, memberProcedure, ofInput, pageFields, router } from "../../init.ts";
import { toSoftwareStatement } from "./software-statement-views.ts";

const byStatement = z.object({ statementId: z.string().max(64) });

const findMerchant = ofInput(byStatement, findSoftwareStatementMerchant);

/** `issueSoftwareStatement` checks the values. Its message names the field. */
const newStatement = byMerchant.extend({
  softwareId: z.string().trim().max(1000),
  clientName: z.string().trim().max(1000),
  redirectUris: z.array(z.string().trim().max(3000)).max(100),
  jwks: z.record(z.string().max(100), z.unknown()).nullable(),
  jwksUri: z.string().trim().max(3000).nullable(),
  ttlSeconds: z.int(),
});

/** The software statements of a merchant's participant (docs/spec/directory.md, Software statements). */
export const softwareStatementsRouter = router({
  list: memberProcedure("software_statement.list", inputMerchant)
    .input(byMerchant.extend(pageFields()))
    .query(async ({ ctx, input }) => {
      const { statements, hasMore } = await listSoftwareStatements(ctx.deps, input);
      const now = ctx.deps.clock.now();
      return { statements: statements.map((statement) => toSoftwareStatement(statement, now)), hasMore };
    }),

  /** Only this answer contains the statement. */
  issue: memberProcedure("software_statement.issue", inputMerchant)
    .input(newStatement)
    .mutation(async ({ ctx, input: { merchantId, ttlSeconds, ...software } }) => {
      const issued = await issueSoftwareStatement(ctx.deps, { merchantId, software, ttlSeconds, ...ctx.by });
      return { ...issued, expiresAt: issued.expiresAt.toISOString() };
    }),

  revoke: memberProcedure("software_statement.revoke", findMerchant)
    .input(byStatement)
    .mutation(({ ctx, input }) =>
      revokeSoftwareStatement(ctx.deps, { ...input, merchantId: ctx.merchantId, ...ctx.by }),
    ),
});
