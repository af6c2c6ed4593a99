import { type Db, type Sql, statement, type Tx } from "../client.ts";
import { lockAccount } from "./accounts.ts";

export const findPaymentMethodsOfPayer = (db: Db, payerId: string) =>
  db.prisma.paymentMethod.findMany({
    where: { payerId, removedAt: null },
    orderBy: [{ isDefault: "desc" }, { createdAt: "asc" }],
    select: { id: true, type: true, label: true, nickname: true, isDefault: true, createdAt: true },
  });

/** Prefers an existing payment method over a removed one. @returns null if the payer never had this method. */
export const findPaymentMethodByRef = (db: Db, where: { payerId: string; processor: string; processorRef: string }) =>
  db.prisma.paymentMethod.findFirst({
    where,
    orderBy: [{ removedAt: { sort: "desc", nulls: "first" } }, { createdAt: "asc" }],
    select: { label: true, removedAt: true },
  });

export const selectPaymentMethodOwner = async (db: Db, id: string): Promise<string | null> =>
  (await db.prisma.paymentMethod.findUnique({ where: { id, removedAt: null }, select: { payerId: true } }))?.payerId ??
  null;

type Owned = { id: string; payerId: string };
type UsableMethod = { id: string; type: string; label: string };

const share = statement<UsableMethod>(
  "share_payment_method",
  "SELECT id, type, label FROM payment_method WHERE id = $1 AND payer_id = $2 AND removed_at IS NULL FOR SHARE",
);

/** Locks the payment method until the transaction ends, so that it can't be removed before a mandate uses it. */
export const findPaymentMethod = async ({ sql }: Pick<Tx, "sql">, { id, payerId }: Owned) =>
  (await sql.query(share, [id, payerId]))[0] ?? null;

const insert = statement<{ id: string }>(
  "insert_payment_method",
  `INSERT INTO payment_method (id, payer_id, processor, processor_ref, type, label, is_default, created_at)
   SELECT $1, $2, $3, $4, $5, $6, NOT EXISTS (
     SELECT FROM payment_method WHERE payer_id = $2 AND is_default AND removed_at IS NULL
   ), $7::timestamptz
    WHERE (SELECT count(*) FROM payment_method WHERE payer_id = $2 AND removed_at IS NULL) < $8::int
   ON CONFLICT (id) DO NOTHING RETURNING id`,
);

export type NewPaymentMethod = Owned & {
  processor: string;
  processorRef: string;
  type: string;
  label: string;
  at: Date;
};

/**
 * The payer's first payment method becomes the default.
 * @returns false if the payer already has this method, or has `limit` methods.
 */
export const insertPaymentMethod = async (sql: Sql, method: NewPaymentMethod, limit: number): Promise<boolean> => {
  const { id, payerId, processor, processorRef, type, label, at } = method;
  await lockAccount(sql, payerId);
  return (await sql.query(insert, [id, payerId, processor, processorRef, type, label, at, limit])).length === 1;
};

const rename = statement<{ id: string }>(
  "rename_payment_method",
  "UPDATE payment_method SET nickname = $3 WHERE id = $1 AND payer_id = $2 AND removed_at IS NULL RETURNING id",
);

/** @param input.nickname null: the processor's label is shown. @returns false if the payer has no such method. */
export const renamePaymentMethodOfPayer = async (
  sql: Sql,
  { id, payerId, nickname }: Owned & { nickname: string | null },
): Promise<boolean> => (await sql.query(rename, [id, payerId, nickname])).length === 1;

const unsetDefault = statement<never>(
  "unset_default_payment_method",
  "UPDATE payment_method SET is_default = false WHERE payer_id = $1 AND is_default AND removed_at IS NULL",
);
const setDefault = statement<{ id: string }>(
  "set_default_payment_method",
  "UPDATE payment_method SET is_default = true WHERE id = $1 AND payer_id = $2 AND removed_at IS NULL RETURNING id",
);

/** @returns false if the payer has no such method. The transaction must then be rolled back. */
export const makeDefaultPaymentMethod = async (sql: Sql, { id, payerId }: Owned): Promise<boolean> => {
  await lockAccount(sql, payerId);
  await sql.query(unsetDefault, [payerId]);
  return (await sql.query(setDefault, [id, payerId])).length === 1;
};

const lockForRemoval = statement<{ id: string }>(
  "lock_payment_method_for_removal",
  "SELECT id FROM payment_method WHERE id = $1 AND payer_id = $2 AND removed_at IS NULL FOR UPDATE",
);
const remove = statement<never>(
  "remove_payment_method",
  "UPDATE payment_method SET removed_at = $2::timestamptz, is_default = false WHERE id = $1",
);
const promoteOldest = statement<never>(
  "promote_oldest_payment_method",
  `UPDATE payment_method SET is_default = true WHERE id = (
     SELECT id FROM payment_method WHERE payer_id = $1 AND removed_at IS NULL ORDER BY created_at, id LIMIT 1
   ) AND NOT EXISTS (SELECT FROM payment_method WHERE payer_id = $1 AND is_default AND removed_at IS NULL)`,
);

/**
 * Locks a payment method against new uses, so that the caller can check the mandates that use it.
 * @returns false if the payer has no such method.
 */
export const lockPaymentMethodForRemoval = async (sql: Sql, { id, payerId }: Owned): Promise<boolean> => {
  await lockAccount(sql, payerId);
  return (await sql.query(lockForRemoval, [id, payerId])).length === 1;
};

/** If the removed method was the default, the oldest remaining method becomes the default. */
export const removeLockedPaymentMethod = async (sql: Sql, { id, payerId, at }: Owned & { at: Date }): Promise<void> => {
  await sql.query(remove, [id, at]);
  await sql.query(promoteOldest, [payerId]);
};
