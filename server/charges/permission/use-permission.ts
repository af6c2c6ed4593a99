import type { ChargeRow } from "../../data/charges/charges.ts";
import type { Sql } from "../../data/client.ts";
import { consumeCredential, findSpendingsOfToken } from "../../data/credentials/credential-uses.ts";
import { decideTokenUse } from "../../mandates/use/decide-token-use.ts";
import { decideUse, type UseDecision } from "../../mandates/use/decide-use.ts";
import type { Permission } from "./find-permission.ts";

type Granted = Extract<Permission, { kind: "granted" }>;
type Use = NonNullable<Granted["use"]>;
type Intent = Parameters<typeof decideUse>[1];

/** Whether the mandate allows this payment at `at`, and the token that it is used by where there is one. */
export const decidePermittedUse = async (
  sql: Sql,
  { mandate, use }: Pick<Granted, "mandate" | "use">,
  { intent, at }: { intent: Intent; at: Date },
): Promise<UseDecision> => {
  const token = use?.token;
  if (!token) return decideUse(mandate, intent, at);
  const spendings = await findSpendingsOfToken(sql, { spendId: token.spendId, mandateId: mandate.mandateId });
  return decideTokenUse(mandate, { details: token.details, spendings }, { intent, at });
};

/**
 * Makes a presentation or token good for this charge alone, in the transaction that reserved it: that one holds the
 * mandate's row, so what else is charged with the same token is counted before or after.
 * @returns false where it was used before, or where another charge took what the token had left.
 */
export const takeUse = async (
  sql: Sql,
  { mandate, use, charge }: { mandate: Granted["mandate"]; use: Use; charge: ChargeRow },
): Promise<boolean> => {
  const { createdAt: at, amount: amountMinor, currency, payerPresence } = charge;
  if (use.token) {
    const intent = { action: "charge", amountMinor, currency, payerPresence } as const;
    const { reasons } = await decidePermittedUse(sql, { mandate, use }, { intent, at });
    if (reasons.length > 0) return false;
  }
  return consumeCredential(sql, {
    mandateId: mandate.mandateId,
    useHash: use.useHash,
    chargeId: charge.id,
    chargedAt: at,
    spendId: use.token?.spendId ?? null,
    expiresAt: use.usableUntil,
  });
};
