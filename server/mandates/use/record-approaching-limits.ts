import type { SettledMandate } from "../../data/charges/charge-settlement.ts";
import type { Sql } from "../../data/client.ts";
import { appendLimitApproaching, type NearLimits } from "../../data/mandates/mandate-mails.ts";
import type { Deps } from "../../deps/deps.ts";
import { queueOptionalMail } from "../../platform/mail/queue-optional-mail.ts";
import { approached, type CapInUse } from "../rules/approaching.ts";
import { isConsumed } from "../rules/limits.ts";
import { limitKey } from "../rules/terms.ts";

type Use = { mandateId: string; mandate: SettledMandate; capturedMinor: bigint; at: Date; requestId: string };
type MailDeps = Pick<Deps, "config" | "clock">;

/**
 * Writes an event if 80% of a limit of a live mandate is used after a capture, but wasn't before. If a refund restores
 * the limit, the event can be written again. Merchants get the event without the limits. The payer gets an e-mail only
 * once for each limit, cap and period. If the capture ends the mandate, only `mandate.consumed` is sent. The caller's
 * transaction holds the mandate's lock.
 */
export const recordApproachingLimits = async (deps: MailDeps, sql: Sql, use: Use): Promise<void> => {
  const { mandateId, mandate, at } = use;
  const isLive = mandate.state === "active" || mandate.state === "suspended";
  if (!isLive || isConsumed(mandate, mandate)) return;
  const near = approached(capsInUse(use));
  if (near.length === 0) return;
  const marked = await appendLimitApproaching(sql, {
    mandateId,
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
    marks: Object.fromEntries(near.map((cap) => [cap.constraint, markOf(cap)])),
  });
  if (marked) await mailPayer(deps, sql, { use, near, marked });
};

/** A limit whose cap has changed counts as a new limit. */
const markOf = ({ cap, resetsAt }: CapInUse): string => `${cap} ${resetsAt?.toISOString() ?? "-"}`;

type Marked = { use: Use; near: readonly CapInUse[]; marked: NearLimits };

const mailPayer = async (deps: MailDeps, sql: Sql, { use, near, marked }: Marked): Promise<void> => {
  const { clientName, currency, fresh, locale, timeZone } = marked;
  const limits = near
    .filter(({ constraint }) => fresh.includes(constraint))
    .map(({ cap, used, resetsAt, period, isCount }) => ({
      period,
      used,
      cap,
      resetsAt,
      currency: isCount ? null : currency,
    }));
  const content = {
    kind: "limit_near",
    clientName,
    limits,
    mandateUrl: `${deps.config.walletUrl}/wallet/mandates/${use.mandateId}`,
    reader: { locale, timeZone },
  } as const;
  await queueOptionalMail(deps, sql, { recipient: marked, content, requestId: use.requestId });
};

/** Lifetime caps, and caps of the current periods in which the charge counts. */
const capsInUse = ({ mandate, capturedMinor }: Use): CapInUse[] => {
  type Cap = Omit<CapInUse, "constraint" | "cap" | "added" | "isCount"> & { cap: bigint | null };
  const amount = (constraint: string, { cap, ...use }: Cap): CapInUse[] =>
    cap === null ? [] : [{ constraint, cap, ...use, added: capturedMinor, isCount: false }];
  const count = (constraint: string, { cap, ...use }: Cap): CapInUse[] =>
    cap === null ? [] : [{ constraint, cap, ...use, added: 1n, isCount: true }];
  const ofPeriods = (mandate.periods ?? []).flatMap((period) => {
    const limit = mandate.periodicLimits.find((each) => limitKey(each) === period.limit_key);
    if (!limit) return [];
    const at = `periodic_limits[${period.limit_key}]`;
    const of = { period: limit.period, resetsAt: new Date(period.ends_at) };
    return [
      ...amount(`${at}.max_amount`, { cap: minor(limit.max_amount), used: BigInt(period.used_amount), ...of }),
      ...count(`${at}.max_payments`, { cap: minor(limit.max_payments), used: BigInt(period.used_count), ...of }),
    ];
  });
  const lifetime = { period: "total", resetsAt: null } as const;
  return [
    ...amount("max_total_amount", { cap: mandate.maxTotalAmount, used: mandate.usedAmount, ...lifetime }),
    ...count("max_payments", { cap: mandate.maxPayments, used: mandate.usedCount, ...lifetime }),
    ...ofPeriods,
  ];
};

const minor = (cap: number | undefined): bigint | null => (cap === undefined ? null : BigInt(cap));
