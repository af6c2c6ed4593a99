import type { SettledMandate } from "../../data/charges/charge-settlement.ts";
import type { Sql } from "../../data/client.ts";
import { appendEvent } from "../../data/webhooks/events.ts";
import { approached, type CapInUse } from "../rules/approaching.ts";
import { isConsumed } from "../rules/limits.ts";
import { limitKey } from "../rules/terms.ts";

type Use = { mandateId: string; mandate: SettledMandate; capturedMinor: bigint; at: Date };

/**
 * Records which limits of a live mandate became near with a capture, each once. Merchants don't see their names. For a
 * mandate that ends with it, `mandate.consumed` is enough. The caller's settling transaction holds the mandate's lock.
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
  const amount = (
    constraint: string,
    { cap, used, resetsAt }: { cap: bigint | null; used: bigint; resetsAt: Date | null },
  ): CapInUse[] => (cap === null ? [] : [{ constraint, cap, used, added: capturedMinor, resetsAt }]);
  const count = (
    constraint: string,
    { cap, used, resetsAt }: { cap: bigint | null; used: bigint; resetsAt: Date | null },
  ): CapInUse[] => (cap === null ? [] : [{ constraint, cap, used, added: 1n, resetsAt }]);
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
