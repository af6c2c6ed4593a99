import { setTimeout as sleep } from "node:timers/promises";
import { type Db, statement } from "#server/data/client.ts";
import type { Random } from "../malformed/random.ts";
import { type Answer, send } from "../support/answers/wire.ts";
import { simulatorOf } from "../support/instance.ts";
import type { Merchant } from "../support/oauth/parties.ts";
import type { Order } from "./orders.ts";

/** Banks that open disputes, and win or lose them. */
export type Banks = {
  disputeNowAndThen(random: Random, orders: readonly Order[], isOver: () => boolean): Promise<void>;
  /** Disputes that aren't reported yet, and disputes whose state here differs from the processor's. */
  listUnreported(): Promise<string[]>;
  /** Disputes whose state here differs from the processor's, and the number of all disputes. */
  compare(): Promise<{ problems: string[]; disputes: number }>;
};

type Row = { id: string; ref: string; account: string; chargeId: string; status: string; state: string };
const listRows = statement<Row>(
  "list_disputes_with_charges",
  `SELECT d.id, d.dispute_ref AS ref, c.processor_account AS account, d.charge_id AS "chargeId", d.status, c.state::text AS state
   FROM dispute d JOIN charge c ON c.id = d.charge_id`,
);
/**
 * Simulates that a day passes, because open disputes are looked up daily. If the simulator was killed before it sent the
 * event about the end of a dispute, only a look-up finds it.
 */
const aDayLater = "UPDATE dispute SET next_lookup_at = least(next_lookup_at, now()) WHERE status = 'open'";

const accountOf = ({ merchantId }: Merchant): string => `acct_${merchantId}`;

const askSimulator = async (path: string, body?: object): Promise<Answer> => {
  const { url, key } = await simulatorOf("sandbox");
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return send(`${url}${path}`, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
};

/**
 * The undelivered dispute events of the first merchant that has any. They are sent immediately, because the simulator
 * postpones a delivery if no process listens.
 */
const listUnsentEvents = async (merchants: readonly Merchant[]): Promise<string[]> => {
  for (const merchant of merchants) {
    const { json } = await askSimulator(`/control/events?${new URLSearchParams({ account: accountOf(merchant) })}`);
    const events = json?.["data"] as { type: string; deliveredAt: number | null }[];
    const late = events.filter(({ type, deliveredAt }) => deliveredAt === null && type.startsWith("dispute."));
    if (late.length === 0) continue;
    await askSimulator("/control/events/flush", {});
    return late.map((event) => JSON.stringify(event));
  }
  return [];
};

/**
 * A charge is disputed while a dispute is open or lost. A charge that was refunded in full before the dispute stays
 * refunded.
 */
const stateProblems = (rows: readonly Row[]): string[] =>
  [...Map.groupBy(rows, ({ chargeId }) => chargeId)].flatMap(([chargeId, own]) => {
    const isDisputed = own.some(({ status }) => status !== "won");
    const isConsistent = own.every(({ state }) => state === "refunded" || (state === "disputed") === isDisputed);
    return isConsistent
      ? []
      : [`${chargeId} is ${own[0]?.state}, but the statuses of its disputes are ${own.map(({ status }) => status)}`];
  });

export const createBanks = (db: Db, merchants: readonly Merchant[]): Banks => {
  /** disputes that were opened and not closed yet */
  const open = new Map<string, string>();
  /** all disputes that were opened */
  const openedIds = new Set<string>();

  const dispute = async (order: Order): Promise<void> => {
    const account = accountOf(order.merchant);
    const { json } = await askSimulator("/control/disputes", { account, charge_id: order.answer?.json?.["id"] });
    const id = json?.["id"];
    if (typeof id !== "string") return;
    open.set(id, account);
    openedIds.add(id);
  };
  const close = async (id: string, account: string, status: "won" | "lost"): Promise<void> => {
    open.delete(id);
    await askSimulator(`/control/disputes/${id}/close`, { account, status });
  };

  const compare: Banks["compare"] = async () => {
    const rows = await db.sql.query(listRows, []);
    const problems = stateProblems(rows);
    for (const { id, ref, account, chargeId, status } of rows) {
      const there = await askSimulator(`/v1/disputes/${ref}?${new URLSearchParams({ account })}`);
      if (there.json?.["charge_id"] !== chargeId || there.json["status"] !== status)
        problems.push(`${id} of ${chargeId} is ${status}; the processor responded with ${there.status} ${there.text}`);
    }
    const refs = new Set(rows.map(({ ref }) => ref));
    if (refs.size !== rows.length) problems.push(`${rows.length} disputes, but ${refs.size} at the processor`);
    problems.push(...[...openedIds].filter((id) => !refs.has(id)).map((id) => `${id} exists only at the processor`));
    return { problems, disputes: rows.length };
  };

  return {
    async disputeNowAndThen(random, orders, isOver) {
      while (!isOver()) {
        await sleep(300 + random.below(1_200));
        const paid = orders.filter(({ kind, answer }) => kind === "charge" && answer?.json?.["status"] === "succeeded");
        const running = [...open];
        const [one, order] = [
          random.chance(40) && running.length > 0 ? random.pick(running) : null,
          random.pick([...paid, null]),
        ];
        // The simulator may just have been killed. In that case, the bank's action wasn't reported to the service.
        if (one) await close(...one, random.pick(["won", "lost"])).catch(() => null);
        else if (order) await dispute(order).catch(() => null);
      }
    },
    async listUnreported() {
      const late = await listUnsentEvents(merchants);
      if (late.length > 0) return late;
      const { problems } = await compare();
      if (problems.length > 0) await db.prisma.$executeRawUnsafe(aDayLater);
      return problems;
    },
    compare,
  };
};
