import type { SettledMandate } from "../../data/charges/charge-settlement.ts";
import type { Sql } from "../../data/client.ts";
import { appendEvent } from "../../data/webhooks/events.ts";
import { approached, type CapInUse } from "../rules/approaching.ts";
import { isConsumed } from "../rules/limits.ts";
import { limitKey } from "../rules/terms.ts";

type Use = { mandateId: string; mandate: SettledMandate; capturedMinor: bigint; at: Date };

/**
 * Reports the limits of a live mandate that are nearly used up after a capture, each once. Merchants get the event
 * without the limits. A mandate that ends with the capture has `mandate.consumed` instead. The caller's transaction
 * holds the mandate's lock.
 */
export const recordApproachingLimits = async (sql: Sql, use: Use): Promise<void> => {
  const { mandateId, mandate, at } = use;
  const isLive = mandate.state === "active" || mandate.state === "suspended";
  if (!isLive || isConsumed(mandate, mandate)) return;
  const near = approached(capsInUse(use));
  if (near.length === 0) return;
  await appendEvent(sql, {
    type: "mandate.limit_approaching",
    objectId: mandateId,
    data: {
      mandate_id: mandateId,
      status: mandate.state,
      version: mandate.version,
      client_id: mandate.clientId,
      limits: near.map(({ constraint, cap, used, resetsAt }) => ({
        constraint,
        cap: Number(cap),
        used: Number(used),
        ...(resetsAt ? { resets_at: resetsAt.toISOString() } : {}),
      })),
    },
    at,
  });
};

/** Lifetime caps, and caps of the running periods in which the charge counts. */
const capsInUse = ({ mandate, capturedMinor }: Use): CapInUse[] => {
  type Cap = { cap: bigint | null; used: bigint; resetsAt: Date | null };
  const amount = (constraint: string, { cap, ...use }: Cap): CapInUse[] =>
    cap === null ? [] : [{ constraint, cap, ...use, added: capturedMinor }];
  const count = (constraint: string, { cap, ...use }: Cap): CapInUse[] =>
    cap === null ? [] : [{ constraint, cap, ...use, added: 1n }];
  const ofPeriods = (mandate.periods ?? []).flatMap((period) => {
    const limit = mandate.periodicLimits.find((each) => limitKey(each) === period.limit_key);
    const at = `periodic_limits[${period.limit_key}]`;
    const resetsAt = new Date(period.ends_at);
    return [
      ...amount(`${at}.max_amount`, { cap: minor(limit?.max_amount), used: BigInt(period.used_amount), resetsAt }),
      ...count(`${at}.max_payments`, { cap: minor(limit?.max_payments), used: BigInt(period.used_count), resetsAt }),
    ];
  });
  return [
    ...amount("max_total_amount", { cap: mandate.maxTotalAmount, used: mandate.usedAmount, resetsAt: null }),
    ...count("max_payments", { cap: mandate.maxPayments, used: mandate.usedCount, resetsAt: null }),
    ...ofPeriods,
  ];
};

const minor = (cap: number | undefined): bigint | null => (cap === undefined ? null : BigInt(cap));
