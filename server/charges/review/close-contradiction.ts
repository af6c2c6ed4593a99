import { appendAudit } from "../../data/audit/audit.ts";
import { updateContradictionClosed } from "../../data/charges/contradictions.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";

type Input = { contradictionId: string; operatorId: string; reason: string; requestId: string };

/** An operator closes a contradiction. @throws DomainError not_found if it is unknown or already closed. */
export const closeContradiction = async (deps: Deps, input: Input): Promise<void> => {
  const { contradictionId, operatorId, reason, requestId } = input;
  const at = await deps.businessClock.now();
  await deps.db.sqlTransaction(async (sql) => {
    const chargeId = await updateContradictionClosed(sql, { id: contradictionId, at, closedBy: operatorId });
    if (chargeId === null) {
      throw new DomainError("not_found", {
        code: "not_found",
        message: "This contradiction wasn’t found, or it is already closed.",
      });
    }
    await appendAudit(sql, {
      at,
      actor: { kind: "operator", id: operatorId },
      requestId,
      action: "charge.contradiction_closed",
      subjectId: chargeId,
      data: { contradiction_id: contradictionId, reason },
    });
  });
};
