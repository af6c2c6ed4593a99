import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import {
  type CreditableSubscription,
  type FurtherCreditRow,
  findFurtherCredit,
  insertFurtherCredit,
  listCreditedFees,
  lockCreditableSubscriptions,
} from "../../data/billing/sla/further-credits.ts";
import { insertFurtherSlaCredits } from "../../data/billing/sla/sla-credits.ts";
import { listSlaFigures } from "../../data/billing/sla/sla-figures.ts";
import { getSubscriptionRow } from "../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError, fieldRefusal, sentenceRefusal } from "../../kernel/errors.ts";
import { currencyProblem, isCurrency } from "../../kernel/money/money.ts";
import { utcMonth } from "../../kernel/time/utc-month.ts";
import { getLockedMerchant } from "../../merchants/get-locked-merchant.ts";
import { type Exact, formatExact, parseExact } from "../rules/exact/exact.ts";
import { creditableFees, divideFurtherCredit, sumLeft } from "../rules/sla/further-credit.ts";
import { slaComponents } from "../rules/sla/sla-credits.ts";
import { slaDueAt } from "../rules/sla/sla-months.ts";
import { billingSubscriptionNotFound } from "../subscriptions/billing-subscription-not-found.ts";
import { loadMonthFees } from "./month-fees.ts";

type Input = {
  merchantId: string;
  component: string;
  /** the first instant of a UTC month */
  month: Date;
  currency: string;
  /** exact amount in minor units, as decimal text */
  exact: string;
  /** unique per merchant: a repeated request adds nothing more */
  key: string;
  reason: string;
  actor: Actor;
  requestId: string;
};

/**
 * Adds a further SLA credit to the credits of a month. The computed credits don't change. The further credit is on the
 * merchant's next final invoice in this currency (docs/spec/billing.md, SLA credits).
 * @throws DomainError not_found; invalid, naming the field; conflict sla_credit_conflict, sla_month_not_computed or
 *   sla_credit_too_high.
 */
export const addSlaCredit = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  input: Input,
): Promise<{ exact: string; isNew: boolean }> => {
  const { merchantId, component, month, currency, key, reason, actor, requestId } = input;
  const amount = readAmount(input);
  const exact = formatExact(amount);
  const requested = { month, component, currency, exact };
  const at = await businessClock.now();
  return db.sqlTransaction(async (sql) => {
    await getLockedMerchant(sql, merchantId);
    const existing = await findFurtherCredit(sql, { merchantId, key });
    if (existing) {
      if (!isSame(existing, requested)) throw keyConflict();
      return { exact, isNew: false };
    }
    const fees = await loadCreditable(sql, { ...requested, merchantId, at });
    const left = sumLeft(fees);
    if (amount > left) throw tooHigh(left, currency);
    const parts = divideFurtherCredit(amount, fees).map(({ fee, exact: part, percent, ...one }) => ({
      ...one,
      component,
      fee: formatExact(fee),
      exact: formatExact(part),
      percent: formatExact(percent),
    }));
    for (const [subscriptionId, credits] of Map.groupBy(parts, (part) => part.subscriptionId))
      await insertFurtherSlaCredits(sql, { subscriptionId, month, at, credits });
    await insertFurtherCredit(sql, { ...requested, merchantId, key, at });
    const data = { component, month: month.toISOString().slice(0, 7), currency, exact, reason };
    await appendAudit(sql, { at, actor, requestId, action: "sla_credit.added", subjectId: merchantId, data });
    return { exact, isNew: true };
  });
};

const readAmount = ({ component, currency, exact, key, reason }: Input): Exact => {
  if (!slaComponents.includes(component)) throw fieldRefusal("/component", `must be ${slaComponents.join(", ")}`);
  if (!isCurrency(currency)) throw fieldRefusal("/currency", currencyProblem);
  if (!/^\S{1,200}$/.test(key)) throw fieldRefusal("/key", "must be 1 to 200 characters without spaces");
  if (reason.trim() === "" || reason.length > 500) throw fieldRefusal("/reason", "must be 1 to 500 characters");
  const amount = /^\d{1,15}(\.\d{1,12})?$/.test(exact) ? parseExact(exact) : 0n;
  if (amount > 0n) return amount;
  throw sentenceRefusal("/exact", "Enter a number of minor units above 0, with at most 12 decimals.");
};

type Query = Omit<FurtherCreditRow, "exact"> & { merchantId: string; at: Date };

/** The uncredited fees of the month, for the subscriptions that still get an invoice. Locks the subscriptions. */
const loadCreditable = async (sql: Sql, { merchantId, month, component, currency, at }: Query) => {
  const subscriptions = await lockCreditableSubscriptions(sql, merchantId);
  if (subscriptions.length === 0) throw billingSubscriptionNotFound();
  const figures = await listSlaFigures(sql, month);
  const isComputed = figures.some((figure) => figure.component === component);
  if (!isComputed || !subscriptions.every((one) => hasComputed(one, month))) throw notComputed();
  const all = [];
  for (const { id: subscriptionId, hasNextInvoice } of subscriptions) {
    if (!hasNextInvoice) continue;
    const row = await getSubscriptionRow(sql, subscriptionId);
    const fees = await loadMonthFees(sql, { row, month: utcMonth(month, 0), asOf: at });
    const earlier = (await listCreditedFees(sql, subscriptionId, month)).map(({ exact, percent, ...fee }) => ({
      ...fee,
      exact: parseExact(exact),
      percent: parseExact(percent),
    }));
    const ofSubscription = fees.map((fee) => ({ ...fee, subscriptionId }));
    all.push(...creditableFees(ofSubscription, { component, currency, earlier }));
  }
  return all;
};

/**
 * Further credits are possible only after the month's credits are computed, because the limit applies to the sum of
 * both.
 */
const hasComputed = ({ slaDueAt: dueAt }: CreditableSubscription, month: Date): boolean =>
  dueAt === null || dueAt > slaDueAt(month);

const isSame = (one: FurtherCreditRow, other: FurtherCreditRow): boolean =>
  one.month.getTime() === other.month.getTime() &&
  one.component === other.component &&
  one.currency === other.currency &&
  parseExact(one.exact) === parseExact(other.exact);

const keyConflict = () =>
  new DomainError("conflict", {
    code: "sla_credit_conflict",
    message: "A different SLA credit was already added with this key. Use a new key.",
    errors: [{ pointer: "/key", detail: "was used for another SLA credit" }],
  });

const notComputed = () =>
  new DomainError("conflict", {
    code: "sla_month_not_computed",
    message: "The SLA credits of this month aren’t computed yet, or the component wasn’t measured in this month.",
    errors: [{ pointer: "/month", detail: "must be a month whose SLA credits are computed" }],
  });

const tooHigh = (left: Exact, currency: string) =>
  new DomainError("conflict", {
    code: "sla_credit_too_high",
    message: `At most ${formatExact(left)} minor units in ${currency} can still be credited for this component and month.`,
    errors: [{ pointer: "/exact", detail: `must be at most ${formatExact(left)}` }],
  });
