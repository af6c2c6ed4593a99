import { appendAudit } from "../../data/audit/audit.ts";
import {
  claimVatCheck,
  recordVatCheck,
  type VatCheckResult,
  type VatCheckRow,
} from "../../data/billing/tax-details/vat-checks.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { getJson } from "../../platform/outbound/get-json.ts";
import { OutboundError } from "../../platform/outbound/outbound.ts";
import { readViesAnswer, viesAddress, viesRetrySeconds } from "../rules/tax-details/vies.ts";

/** Longer than the longest request. After this time, another worker takes over the check of a killed worker. */
const leaseSeconds = 60;

/**
 * Checks VAT numbers in VIES when their check is due, if VIES_URL is set (docs/spec/billing.md, Tax details). Any
 * number of workers share the work. The results don't change the tax of an invoice.
 */
export const checkVatNumbers = async (
  deps: Pick<Deps, "db" | "clock" | "businessClock" | "config" | "outbound" | "log">,
  { limit, requestId }: { limit: number; requestId: string },
): Promise<{ isOff: boolean; checked: number }> => {
  const { viesUrl } = deps.config;
  if (viesUrl === null) return { isOff: true, checked: 0 };
  let checked = 0;
  while (checked < limit) {
    const now = deps.clock.now();
    const claimed = await claimVatCheck(deps.db.sql, now, addSeconds(now, leaseSeconds));
    if (!claimed) break;
    const result = await askVies(deps, viesUrl, claimed);
    await recordResult(deps, claimed, { result, requestId });
    checked += 1;
  }
  return { isOff: false, checked };
};

const askVies = async (
  { outbound, log }: Pick<Deps, "outbound" | "log">,
  viesUrl: string,
  { merchantId, vatNumber }: VatCheckRow,
): Promise<VatCheckResult> => {
  try {
    return readViesAnswer((await getJson(outbound, viesAddress(viesUrl, vatNumber), { canWait: true })).value);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    log.warn({ err: error, merchantId }, "VIES gave no usable answer");
    return "unavailable";
  }
};

/** Writes an audit entry only if the result is new, so that repeated failures don't fill the audit log. */
const recordResult = async (
  { db, clock, businessClock }: Pick<Deps, "db" | "clock" | "businessClock">,
  check: VatCheckRow,
  { result, requestId }: { result: VatCheckResult; requestId: string },
): Promise<void> => {
  const checkedAt = clock.now();
  const at = await businessClock.now();
  const dueAt = result === "unavailable" ? addSeconds(checkedAt, viesRetrySeconds(check.attempts)) : null;
  await db.sqlTransaction(async (sql) => {
    if (!(await recordVatCheck(sql, check, { result, checkedAt, dueAt })) || result === check.result) return;
    // The number isn't written to the audit log, because it can belong to a person.
    const action = "merchant.vat_number_checked";
    const actor = { kind: "system", id: "vies" } as const;
    await appendAudit(sql, { at, actor, requestId, action, subjectId: check.merchantId, data: { result } });
  });
};
