import type { JsonObject } from "../../kernel/text/json.ts";
import { type Sql, statement } from "../client.ts";

const find = statement<{ id: string; type: string; label: string }>(
  "find_usable_payment_method",
  "SELECT id, type, label FROM payment_method WHERE id = $1 AND payer_id = $2 AND removed_at IS NULL FOR SHARE",
);

/**
 * Locks the method, so that it can't be removed until the transaction ends. @returns null if the payer has no such
 * method.
 */
export const lockUsablePaymentMethod = async (
  sql: Sql,
  { id, payerId }: { id: string; payerId: string },
): Promise<{ id: string; type: string; label: string } | null> => (await sql.query(find, [id, payerId]))[0] ?? null;

const update = statement<never>(
  "update_mandate_payment_method",
  "UPDATE mandate SET version = $2::int, details = $3::jsonb, payment_method_id = $4 WHERE id = $1",
);

export const updateMandatePaymentMethod = async (
  sql: Sql,
  mandate: { id: string; version: number; details: JsonObject; paymentMethodId: string },
): Promise<void> => {
  await sql.query(update, [mandate.id, mandate.version, JSON.stringify(mandate.details), mandate.paymentMethodId]);
};
