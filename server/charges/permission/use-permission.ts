import type { ChargeRow } from "../../data/charges/charges.ts";
import type { Sql } from "../../data/client.ts";
import { consumeCredential, findSpendingsOfToken } from "../../data/credentials/credential-uses.ts";
import { decideTokenUse } from "../../mandates/use/decide-token-use.ts";
import { decideUse, type UseDecision } from "../../mandates/use/decide-use.ts";
import type { Permission } from "./find-permission.ts";

type Granted = Extract<Permission, { kind: "granted" }>;
type Use = NonNullable<Granted["use"]>;
type Intent = Parameters<typeof decideUse>[1];

/**
 * Whether the mandate allows this payment at `at`. If a token is used for the payment, the token must also allow it.
 */
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
 * Binds a presentation or token to this charge only. Call it in the transaction that reserves the charge and has locked
 * the mandate's row, so that charges with the same token are counted one after another.
 * @returns false if the presentation was used before, or if another charge used the rest of the token's budget.
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
