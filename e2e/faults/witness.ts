import type { Db } from "#server/data/client.ts";
import { statement } from "#server/data/client.ts";
import type { Caps, PooledMandate } from "./mandate-pool.ts";

/**
 * Records every change of a charge and every narrowing of a mandate, in the order in which they took effect. The record
 * gets its number while the mandate is locked for the change.
 */
const install = [
  `CREATE TABLE charge_witness (id BIGSERIAL PRIMARY KEY, mandate_id TEXT NOT NULL, charge_id TEXT, state TEXT,
     amount BIGINT, captured BIGINT, refunded BIGINT, created_at TIMESTAMPTZ, caps JSONB)`,
  `CREATE FUNCTION witness_charge() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$ BEGIN
     INSERT INTO charge_witness (mandate_id, charge_id, state, amount, captured, refunded, created_at)
     VALUES (NEW.mandate_id, NEW.id, NEW.state, NEW.amount, NEW.amount_captured, NEW.amount_refunded, NEW.created_at);
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER witness_charge AFTER INSERT OR UPDATE OF state, amount_captured, amount_refunded ON charge
     FOR EACH ROW EXECUTE FUNCTION witness_charge()`,
  `CREATE FUNCTION witness_narrowing() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$ BEGIN
     INSERT INTO charge_witness (mandate_id, caps) VALUES (NEW.id, NEW.details);
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER witness_narrowing AFTER UPDATE OF version ON mandate FOR EACH ROW EXECUTE FUNCTION witness_narrowing()`,
];

export const installWitness = async (db: Db): Promise<void> => {
  for (const text of install) await db.prisma.$executeRawUnsafe(text);
};

type Seen = { chargeId: string; state: string; amount: bigint; captured: bigint; refunded: bigint; createdAt: Date };
const list = statement<(Seen & { caps: null }) | { caps: Caps }>(
  "list_witnessed_changes",
  `SELECT charge_id AS "chargeId", state, amount, captured, refunded, created_at AS "createdAt", caps FROM charge_witness
   WHERE mandate_id = $1 ORDER BY id`,
);

const released = new Set(["declined", "voided", "expired"]);
const used = new Set(["succeeded", "captured", "partially_captured", "partially_refunded", "refunded", "disputed"]);

type Share = { amount: number; payments: number; day: string };

/** What a charge uses of the budget now: the whole amount while it is held, the captured amount once it is used. */
const shareOf = ({ state, amount, captured, refunded, createdAt }: Seen, caps: Caps): Share => {
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

/** The usage, if any, that exceeds a current cap. */
const above = (shares: ReadonlyMap<string, Share>, newest: Share, caps: Caps): object[] => {
  const limits = [
    { ...caps, max_amount: caps.max_total_amount, of: sum(shares.values()) },
    { max_amount: caps.max_amount_per_payment, max_payments: undefined, of: { amount: newest.amount, payments: 1 } },
    ...(caps.periodic_limits ?? []).map((limit) => ({ ...limit, of: sum(shares.values(), newest.day) })),
  ];
  return limits
    .filter(({ max_amount: maxAmount, max_payments: maxPayments, of }) => {
      const isWithin = of.amount <= (maxAmount ?? Number.POSITIVE_INFINITY);
      return !isWithin || of.payments > (maxPayments ?? Number.POSITIVE_INFINITY);
    })
    .map(({ of }) => of);
};

/**
 * Checks the recorded changes with a slow, simple model. After each change that increases usage, it adds up all charges
 * of the mandate and compares the sum with every cap at that time. While the sum is above a lowered cap, no further
 * usage is allowed.
 * @returns where a cap was exceeded, how many instants were checked, and how often the caps were lowered.
 */
export const replayBudget = async (
  db: Db,
  mandate: PooledMandate,
): Promise<{ exceeded: string[]; instants: number; narrowings: number }> => {
  const seen = await db.sql.query(list, [mandate.mandateId]);
  const shares = new Map<string, Share>();
  const exceeded: string[] = [];
  let { caps } = mandate;
  let narrowings = 0;
  for (const [instant, change] of seen.entries()) {
    if (change.caps) {
      caps = change.caps;
      narrowings += 1;
      continue;
    }
    const share = shareOf(change, caps);
    const before = shares.get(change.chargeId);
    shares.set(change.chargeId, share);
    if (before && share.amount <= before.amount && share.payments <= before.payments) continue;
    for (const sum of above(shares, share, caps)) {
      const what = `${JSON.stringify(sum)}, caps ${JSON.stringify(caps)}`;
      exceeded.push(`${mandate.mandateId}, change ${instant}: ${what}`);
    }
  }
  return { exceeded, instants: seen.length, narrowings };
};
