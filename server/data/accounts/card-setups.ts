import { type Sql, statement } from "../client.ts";
import { lockAccount } from "./accounts.ts";

/** A card that a payer is adding on the processor's pages. */
export type CardSetupRow = {
  id: string;
  payerId: string;
  processor: string;
  setupRef: string;
  state: "open" | "added" | "ended";
  paymentMethodId: string | null;
  createdAt: Date;
  expiresAt: Date;
  nextLookupAt: Date | null;
  lookups: number;
};

const columns = `s.id, s.payer_id AS "payerId", s.processor, s.setup_ref AS "setupRef", s.state::text AS state,
  s.payment_method_id AS "paymentMethodId", s.created_at AS "createdAt", s.expires_at AS "expiresAt",
  s.next_lookup_at AS "nextLookupAt", s.lookups`;

const insert = statement<never>(
  "insert_card_setup",
  `INSERT INTO card_setup (id, payer_id, processor, setup_ref, created_at, expires_at, next_lookup_at)
   VALUES ($1, $2, $3, $4, $5::timestamptz, $6::timestamptz, $7::timestamptz)`,
);

export const insertCardSetup = async (
  sql: Sql,
  setup: Pick<CardSetupRow, "id" | "payerId" | "processor" | "setupRef" | "createdAt" | "expiresAt"> & {
    nextLookupAt: Date;
  },
): Promise<void> => {
  const { id, payerId, processor, setupRef, createdAt, expiresAt, nextLookupAt } = setup;
  await sql.query(insert, [id, payerId, processor, setupRef, createdAt, expiresAt, nextLookupAt]);
};

const find = statement<CardSetupRow>("find_card_setup", `SELECT ${columns} FROM card_setup s WHERE s.id = $1`);

export const findCardSetup = async (sql: Sql, id: string): Promise<CardSetupRow | null> =>
  (await sql.query(find, [id]))[0] ?? null;

const countOpen = statement<{ count: number }>(
  "count_open_card_setups",
  `SELECT count(*)::int AS count FROM card_setup WHERE payer_id = $1 AND state = 'open' AND expires_at > $2::timestamptz`,
);

export const countOpenCardSetups = async (sql: Sql, payerId: string, now: Date): Promise<number> =>
  (await sql.query(countOpen, [payerId, now]))[0]?.count ?? 0;

const add = statement<{ id: string }>(
  "add_card_of_setup",
  `WITH settled AS (
     UPDATE card_setup SET state = 'added', payment_method_id = $2, next_lookup_at = NULL
      WHERE id = $1 AND state = 'open' RETURNING payer_id, processor
   )
   INSERT INTO payment_method (id, payer_id, processor, processor_ref, type, label, is_default, created_at)
   SELECT $2, payer_id, processor, $3, $4, $5, NOT EXISTS (
     SELECT FROM payment_method m WHERE m.payer_id = settled.payer_id AND m.is_default AND m.removed_at IS NULL
   ), $6::timestamptz FROM settled RETURNING id`,
);

type NewCard = { paymentMethodId: string; processorRef: string; type: string; label: string; at: Date };

/**
 * At most one caller adds the card of a setup. The payer's first card becomes the default, even if cards are added
 * concurrently.
 */
export const addCardOf = async (sql: Sql, { id, payerId }: CardSetupRow, card: NewCard): Promise<boolean> => {
  await lockAccount(sql, payerId);
  const values = [id, card.paymentMethodId, card.processorRef, card.type, card.label, card.at];
  return (await sql.query(add, values)).length === 1;
};

const end = statement<{ id: string }>(
  "end_card_setup",
  "UPDATE card_setup SET state = 'ended', next_lookup_at = NULL WHERE id = $1 AND state = 'open' RETURNING id",
);

/** At most one caller ends a setup. */
export const endCardSetup = async (sql: Sql, id: string): Promise<boolean> => (await sql.query(end, [id])).length === 1;

const claimDue = statement<CardSetupRow>(
  "claim_due_card_setups",
  `WITH due AS (
     SELECT id FROM card_setup WHERE next_lookup_at <= $1::timestamptz
     ORDER BY next_lookup_at LIMIT $2::int FOR UPDATE SKIP LOCKED
   )
   UPDATE card_setup s SET lookups = s.lookups + 1,
     next_lookup_at = $1::timestamptz + least(power(2, least(s.lookups, 10)), 60) * interval '1 minute'
   FROM due WHERE s.id = due.id RETURNING ${columns}`,
);

/** Claims due setups, each for one caller. A claimed setup is due again after 1, 2, 4 … minutes, at most an hour. */
export const claimDueCardSetups = (sql: Sql, { now, limit }: { now: Date; limit: number }): Promise<CardSetupRow[]> =>
  sql.query(claimDue, [now, limit]);

const methodLabel = statement<{ label: string }>(
  "find_label_of_payment_method",
  "SELECT label FROM payment_method WHERE id = $1",
);

export const findPaymentMethodLabel = async (sql: Sql, id: string): Promise<string | null> =>
  (await sql.query(methodLabel, [id]))[0]?.label ?? null;
