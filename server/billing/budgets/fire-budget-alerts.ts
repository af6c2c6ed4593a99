import { appendAudit } from "../../data/audit/audit.ts";
import type { BudgetAlertRow } from "../../data/billing/budgets/alerts.ts";
import { insertFirings, lockUnfiredAlerts } from "../../data/billing/budgets/firings.ts";
import type { Sql } from "../../data/client.ts";
import { listMerchantManagers } from "../../data/merchants/members.ts";
import { findMerchant } from "../../data/merchants/merchants.ts";
import { appendEvent } from "../../data/webhooks/events.ts";
import type { Deps } from "../../deps/deps.ts";
import { merchantPageUrl } from "../../kernel/requests/merchant-page-url.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { queueMailToAll } from "../../platform/mail/queue-mail-to-all.ts";
import { isReached, thresholdMinor } from "../rules/budgets/budget-alert.ts";
import type { Period } from "../rules/usage-period.ts";

type Input = {
  merchantId: string;
  /** the whole period */
  period: Period;
  /** the subscription's time zone, in which its periods end */
  timeZone: string;
  /** what the period costs so far, by currency */
  spent: ReadonlyMap<string, bigint>;
  at: Date;
};

const checkedBy = { actor: { kind: "system", id: "budget_check" }, requestId: "budget_check" } as const;

/**
 * Fires each alert whose threshold the period's cost has reached, at most once per period. Writes the audit entry, the
 * event and the e-mails in the caller's transaction (docs/spec/billing.md, Budget alerts).
 * @returns how many fired.
 */
export const fireBudgetAlerts = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { merchantId, period, timeZone, spent, at }: Input,
): Promise<number> => {
  const unfired = await lockUnfiredAlerts(sql, merchantId, period.from);
  const reached = unfired.flatMap((alert) => {
    const spentMinor = spent.get(alert.currency) ?? 0n;
    return isReached(alert, spentMinor) ? [{ alert, spentMinor }] : [];
  });
  const firings = reached.map(({ alert, spentMinor }) => ({ alertId: alert.id, spent: spentMinor }));
  const fired = await insertFirings(sql, { period, reached: firings, at });
  for (const one of reached) if (fired.has(one.alert.id)) await announce(deps, sql, { ...one, period, timeZone, at });
  return fired.size;
};

type Firing = { alert: BudgetAlertRow; spentMinor: bigint; period: Period; timeZone: string; at: Date };

const announce = async (deps: Pick<Deps, "config" | "clock">, sql: Sql, firing: Firing): Promise<void> => {
  const { alert, at } = firing;
  const data = toEventData(firing);
  const { merchant_id: _, ...audited } = data;
  await appendAudit(sql, {
    ...checkedBy,
    at,
    action: "budget_alert.triggered",
    subjectId: alert.merchantId,
    data: audited,
  });
  if (alert.sendsWebhook) {
    await appendEvent(sql, { type: "budget_alert.triggered", objectId: alert.id, data, at });
  }
  if (alert.sendsMail) await mailManagers(deps, sql, firing);
};

const toEventData = ({ alert, spentMinor, period }: Firing): JsonObject => ({
  budget_alert_id: alert.id,
  merchant_id: alert.merchantId,
  name: alert.name,
  currency: alert.currency,
  period: { from: period.from.toISOString(), to: period.to.toISOString() },
  threshold: Number(thresholdMinor(alert)),
  percent: alert.percent,
  budget: alert.percent === null ? null : Number(alert.amount),
  spent: Number(spentMinor),
});

const mailManagers = async (deps: Pick<Deps, "config" | "clock">, sql: Sql, firing: Firing): Promise<void> => {
  const { alert, spentMinor, period, timeZone } = firing;
  // Doesn't lock the merchant, to avoid a deadlock: the caller may have locked the subscription, and other transactions
  // lock the merchant before the subscription.
  const merchant = await findMerchant(sql, alert.merchantId);
  if (!merchant) return;
  const content = {
    kind: "budget_alert",
    merchantName: merchant.displayName,
    alertName: alert.name,
    currency: alert.currency,
    thresholdMinor: thresholdMinor(alert),
    percent: alert.percent,
    spentMinor,
    periodEndsOn: addSeconds(period.to, -1),
    timeZone,
    billingUrl: merchantPageUrl(deps.config.walletUrl, merchant.id, "/billing"),
  } as const;
  const recipients = (await listMerchantManagers(sql, merchant.id)).map(({ email }) => email);
  await queueMailToAll(deps, sql, { recipients, content, requestId: checkedBy.requestId });
};
