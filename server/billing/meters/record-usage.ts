import { appendAudit } from "../../data/audit/audit.ts";
import { findUsageEventHashes, insertUsageEvents } from "../../data/billing/usage-events.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import { dateId } from "../../kernel/time/dated.ts";
import {
  judgeBatch,
  planBatch,
  type SentUsage,
  type UsageBatch,
  type UsageVerdict,
  usageKey,
} from "../rules/usage-batch.ts";

type Input = { merchantId: string; clientId: string; requestId: string; sent: readonly SentUsage[] };

/**
 * Enters a merchant's own usage, each event by itself and at most once per merchant, source and id, however often and by
 * however many requests at once it is sent. A request that is sent again enters nothing, and is told which events count.
 */
export const recordUsage = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  input: Input,
): Promise<UsageVerdict[]> => {
  const at = await businessClock.now();
  const batch = planBatch(input.sent, at);
  const { entered, known } = await db.sqlTransaction((sql) => enter(sql, batch, { ...input, at }));
  return judgeBatch(batch, entered, known);
};

type Entering = Omit<Input, "sent"> & { at: Date };
type Entered = { entered: Set<string>; known: Map<string, string> };

const enter = async (sql: Sql, batch: UsageBatch, by: Entering): Promise<Entered> => {
  const events = [...batch.candidates.values()].map(({ usage, hash }) => ({
    ...usage,
    id: dateId(newId("uev"), usage.time),
    bodyHash: hash,
  }));
  const inserted = await insertUsageEvents(sql, { merchantId: by.merchantId, receivedAt: by.at, events });
  const entered = new Set(inserted.map(usageKey));
  if (entered.size > 0) await tell(sql, by, entered.size);
  const others = [...batch.keys].flatMap(([key, usage]) => (entered.has(key) ? [] : [usage]));
  const before = others.length === 0 ? [] : await findUsageEventHashes(sql, by.merchantId, others);
  return { entered, known: new Map(before.map((event) => [usageKey(event), event.bodyHash])) };
};

const tell = (sql: Sql, { merchantId, clientId, requestId, at }: Entering, events: number): Promise<void> =>
  appendAudit(sql, {
    at,
    actor: { kind: "client", id: clientId },
    action: "usage.recorded",
    subjectId: merchantId,
    requestId,
    data: { events },
  });
