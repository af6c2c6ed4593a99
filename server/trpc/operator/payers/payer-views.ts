import type { FoundPayer } from "../../../data/operators/payer-search.ts";
import type { PayerForOperator } from "../../../operators/payers/get-payer.ts";
import { toFoundCharge } from "../charges/found-charge-view.ts";
import { toAuditEntry, toFoundMandate } from "../operator-views.ts";

/** Plain JSON for the operator pages, with times as RFC 3339 texts. */
export const toFoundPayer = ({ createdAt, ...payer }: FoundPayer) => ({ ...payer, createdAt: createdAt.toISOString() });

export const toPayerForOperator = (found: PayerForOperator) => {
  const { payer, mandates, charges, apps, signIns, history, ...more } = found;
  return {
    ...more,
    ...payer,
    createdAt: payer.createdAt.toISOString(),
    emailVerifiedAt: payer.emailVerifiedAt?.toISOString() ?? null,
    lastSignInAt: payer.lastSignInAt?.toISOString() ?? null,
    deletionRequestedAt: payer.deletionRequestedAt?.toISOString() ?? null,
    deletedAt: payer.deletedAt?.toISOString() ?? null,
    mandates: mandates.mandates.map(toFoundMandate),
    hasMoreMandates: mandates.hasMore,
    charges: charges.charges.map(toFoundCharge),
    hasMoreCharges: charges.hasMore,
    apps: apps.map(({ id, name, liveMandates, connectedAt }) => ({
      id,
      name,
      liveMandates,
      connectedAt: connectedAt.toISOString(),
    })),
    signIns: signIns.map((signIn) => ({ ...signIn, at: signIn.at.toISOString() })),
    history: history.map(toAuditEntry),
  };
};

export type OperatorFoundPayer = ReturnType<typeof toFoundPayer>;
export type OperatorPayer = ReturnType<typeof toPayerForOperator>;
