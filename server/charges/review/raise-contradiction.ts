import { appendAudit } from "../../data/audit/audit.ts";
import type { ChargeRow } from "../../data/charges/charges.ts";
import { type ContradictionRow, insertContradiction } from "../../data/charges/contradictions.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";

type Statement = Pick<ContradictionRow, "about" | "processorRef" | "reported" | "amount">;

/**
 * A processor's report about money contradicts our records, so an operator must resolve it. The contradiction is raised
 * and audited once for each report. It changes no budget.
 */
export const raiseContradiction = async (
  deps: Deps,
  charge: Pick<ChargeRow, "id" | "mandateId" | "currency" | "state">,
  { requestId, ...statement }: Statement & { requestId: string },
): Promise<void> => {
  const at = await deps.businessClock.now();
  const isNew = await deps.db.sqlTransaction((sql) => write(sql, { charge, statement, requestId, at }));
  if (isNew) deps.log.error({ chargeId: charge.id, ...toAuditData(statement) }, "a processor contradicts our records");
};

/** The report in the form of the audit log and of our log. */
const toAuditData = ({ about, processorRef, reported }: Statement) => ({
  about,
  processor_ref: processorRef,
  reported,
});

type Raising = {
  charge: Pick<ChargeRow, "id" | "mandateId" | "currency" | "state">;
  statement: Statement;
  requestId: string;
};

const write = async (sql: Sql, { charge, statement, requestId, at }: Raising & { at: Date }): Promise<boolean> => {
  const id = newId("ctr");
  if (!(await insertContradiction(sql, { ...statement, id, chargeId: charge.id, raisedAt: at }))) return false;
  await appendAudit(sql, {
    at,
    actor: { kind: "system", id: "processor" },
    requestId,
    action: "charge.contradicted",
    subjectId: charge.id,
    data: {
      contradiction_id: id,
      mandate_id: charge.mandateId,
      state: charge.state,
      ...toAuditData(statement),
      amount: Number(statement.amount),
      currency: charge.currency,
    },
  });
  return true;
};
