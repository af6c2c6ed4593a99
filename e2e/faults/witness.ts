import type { Db } from "#server/data/client.ts";
import { statement } from "#server/data/client.ts";
import type { PooledMandate } from "./mandate-pool.ts";

/**
 * Writes down every change of a charge, in the order in which the changes took effect: budgets are moved under the
 * mandate's lock, which the numbering happens under as well.
 */
const install = [
  `CREATE TABLE charge_witness (id BIGSERIAL PRIMARY KEY, mandate_id TEXT NOT NULL, charge_id TEXT NOT NULL, state TEXT NOT NULL,
     amount BIGINT NOT NULL, captured BIGINT NOT NULL, refunded BIGINT NOT NULL, created_at TIMESTAMPTZ NOT NULL)`,
  `CREATE FUNCTION witness_charge() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$ BEGIN
     INSERT INTO charge_witness (mandate_id, charge_id, state, amount, captured, refunded, created_at)
     VALUES (NEW.mandate_id, NEW.id, NEW.state, NEW.amount, NEW.amount_captured, NEW.amount_refunded, NEW.created_at);
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER witness_charge AFTER INSERT OR UPDATE OF state, amount_captured, amount_refunded ON charge
     FOR EACH ROW EXECUTE FUNCTION witness_charge()`,
];

export const installWitness = async (db: Db): Promise<void> => {
  for (const text of install) await db.prisma.$executeRawUnsafe(text);
};

type Seen = { chargeId: string; state: string; amount: bigint; captured: bigint; refunded: bigint; createdAt: Date };
const list = statement<Seen>(
  "list_witnessed_charges",
  `SELECT charge_id AS "chargeId", state, amount, captured, refunded, created_at AS "createdAt" FROM charge_witness
   WHERE mandate_id = $1 ORDER BY id`,
);

const released = new Set(["declined", "voided", "expired"]);
const used = new Set(["succeeded", "captured", "partially_captured", "partially_refunded", "refunded", "disputed"]);

type Share = { amount: number; payments: number; day: string };

/** What a charge takes of the budget as it stands: all of it while it is held, what was captured once it is used. */
const shareOf = ({ state, amount, captured, refunded, createdAt }: Seen, caps: PooledMandate["caps"]): Share => {
  const day = createdAt.toISOString().slice(0, 10);
  if (released.has(state)) return { amount: 0, payments: 0, day };
  const kept = captured - (caps.refund_policy === "restore" ? refunded : 0n);
  return { amount: Number(used.has(state) ? kept : amount), payments: 1, day };
};

const sum = (shares: Iterable<Share>, day?: string): { amount: number; payments: number } => {
  const total = { amount: 0, payments: 0 };
  for (const share of shares) {
    if (day !== undefined && share.day !== day) continue;
    total.amount += share.amount;
    total.payments += share.payments;
  }
  return total;
};

/**
 * The slow, obvious model: after each change all that the mandate's charges take is added up anew, and compared with
 * every cap. @returns where a cap was exceeded, and how many instants were looked at.
 */
export const replayBudget = async (
  db: Db,
  { mandateId, caps }: PooledMandate,
): Promise<{ exceeded: string[]; instants: number; highest: number }> => {
  const seen = await db.sql.query(list, [mandateId]);
  const shares = new Map<string, Share>();
  const exceeded: string[] = [];
  let highest = 0;
  for (const [instant, change] of seen.entries()) {
    const share = shareOf(change, caps);
    shares.set(change.chargeId, share);
    const limits = [
      { ...caps, max_amount: caps.max_total_amount, of: sum(shares.values()) },
      ...(caps.periodic_limits ?? []).map((limit) => ({ ...limit, of: sum(shares.values(), share.day) })),
    ];
    for (const { max_amount: maxAmount, max_payments: maxPayments, of } of limits) {
      highest = Math.max(highest, of.amount);
      if (
        of.amount > (maxAmount ?? Number.POSITIVE_INFINITY) ||
        of.payments > (maxPayments ?? Number.POSITIVE_INFINITY)
      ) {
        exceeded.push(`${mandateId}, change ${instant}: ${of.amount} in ${of.payments}, caps ${JSON.stringify(caps)}`);
      }
    }
  }
  return { exceeded, instants: seen.length, highest };
};
