import { appendAudit } from "../../data/audit/audit.ts";
import { shareUsageIntake } from "../../data/billing/meters/usage-cut-off.ts";
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
import { oldestAccepted } from "../rules/usage-event.ts";
import { fitToMonths } from "./fit-to-months.ts";

type Input = { merchantId: string; clientId: string; requestId: string; sent: readonly SentUsage[] };

/**
 * Records a merchant's usage events. Each event is recorded at most once per merchant, source and id, even if requests
 * are concurrent. An id can be used again when its event has become too old to be accepted. A repeated request records
 * nothing, and returns a verdict for each event.
 */
export const recordUsage = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  input: Input,
): Promise<UsageVerdict[]> => {
  const at = await businessClock.now();
  const planned = planBatch(input.sent, at);
  const { batch, entered, known } = await db.sqlTransaction((sql) => recordBatch(sql, planned, { ...input, at }));
  return judgeBatch(batch, entered, known);
};

type RecordContext = Omit<Input, "sent"> & { at: Date };
type Recorded = { batch: UsageBatch; entered: Set<string>; known: Map<string, string> };

const recordBatch = async (sql: Sql, planned: UsageBatch, by: RecordContext): Promise<Recorded> => {
  await shareUsageIntake(sql, by.merchantId);
  const batch = await fitToMonths(sql, { merchantId: by.merchantId, batch: planned, at: by.at });
  const events = [...batch.candidates.values()].map(({ usage, hash }) => ({
    ...usage,
    id: dateId(newId("uev"), usage.time),
    bodyHash: hash,
  }));
  const inserted = await insertUsageEvents(sql, {
    merchantId: by.merchantId,
    receivedAt: by.at,
    keyedSince: oldestAccepted(by.at),
    events,
  });
  const entered = new Set(inserted.map(usageKey));
  if (entered.size > 0) await recordAudit(sql, by, entered.size);
  const others = [...batch.keys].flatMap(([key, usage]) => (entered.has(key) ? [] : [usage]));
  const before = others.length === 0 ? [] : await findUsageEventHashes(sql, by.merchantId, others);
  return { batch, entered, known: new Map(before.map((event) => [usageKey(event), event.bodyHash])) };
};

const recordAudit = (sql: Sql, { merchantId, clientId, requestId, at }: RecordContext, events: number): Promise<void> =>
  appendAudit(sql, {
    at,
    actor: { kind: "client", id: clientId },
    action: "usage.recorded",
    subjectId: merchantId,
    requestId,
    data: { events },
  });
