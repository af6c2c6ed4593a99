import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { findStatementMerchant, markStatementRevoked } from "../../data/directory/software-statements.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";

type Input = { statementId: string; merchantId: string; actor: Actor; requestId: string };

/**
 * Registration refuses the statement from now on. Clients that registered with it are kept. Idempotent.
 * @throws DomainError not_found, also for another merchant's statement.
 */
export const revokeSoftwareStatement = (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { statementId, merchantId, actor, requestId }: Input,
): Promise<{ isNew: boolean }> =>
  db.sqlTransaction(async (sql) => {
    if ((await findStatementMerchant(sql, statementId)) !== merchantId) {
      throw new DomainError("not_found", { code: "not_found", message: "Software statement not found." });
    }
    const at = clock.now();
    const participantId = await markStatementRevoked(sql, statementId, at);
    if (participantId !== null) {
      await appendAudit(sql, {
        at,
        actor,
        requestId,
        action: "software_statement.revoked",
        subjectId: statementId,
        data: { merchant_id: merchantId, participant_id: participantId },
      });
    }
    return { isNew: participantId !== null };
  });
