import { findBillingSubscription } from "../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../data/client.ts";
import { DomainError, type FieldError } from "../../kernel/errors.ts";
import { isCurrency, maxAmountMinor } from "../../kernel/money/money.ts";
import { getPlanOf } from "../subscriptions/gather/get-plan-of.ts";

/** The fields that a member enters. */
export type BudgetAlertFields = {
  name: string;
  currency: string;
  /** the amount at which the alert fires; with a percentage, the budget of a period */
  amountMinor: bigint;
  percent: number | null;
  sendsMail: boolean;
  sendsWebhook: boolean;
};

const maxNameLength = 80;
const maxPercent = 1_000;

/** @throws DomainError invalid, naming each field that must be changed. */
export const assertBudgetAlert = async (
  sql: Sql,
  { merchantId, at, fields }: { merchantId: string; at: Date; fields: BudgetAlertFields },
): Promise<void> => {
  const errors = [...problemsOf(fields), ...(await currencyProblems(sql, { merchantId, at, fields }))];
  if (errors.length === 0) return;
  const message = errors.map(({ detail }) => detail).join(" ");
  throw new DomainError("invalid", { code: "invalid_request", message, errors });
};

const problemsOf = ({ name, amountMinor, percent, sendsMail, sendsWebhook }: BudgetAlertFields): FieldError[] => {
  const errors: FieldError[] = [];
  const add = (pointer: string, detail: string) => errors.push({ pointer, detail });
  if (name.trim() === "" || name.length > maxNameLength)
    add("/name", `Enter a name of 1 to ${maxNameLength} characters.`);
  if (amountMinor < 1n) add("/amountMinor", "Enter an amount above zero.");
  if (amountMinor > maxAmountMinor) add("/amountMinor", "The amount is too large. Enter a smaller one.");
  if (percent !== null && !(Number.isInteger(percent) && percent >= 1 && percent <= maxPercent))
    add("/percent", `Enter a whole number from 1 to ${maxPercent}.`);
  if (!sendsMail && !sendsWebhook) add("/sendsMail", "Choose e-mail, webhook or both.");
  return errors;
};

type Query = { merchantId: string; at: Date; fields: BudgetAlertFields };

/**
 * A currency that the plan doesn't price is never billed, so an alert in it would never fire. A merchant without a plan
 * may use any currency, because the alert can fire once the merchant has a plan.
 */
const currencyProblems = async (sql: Sql, { merchantId, at, fields }: Query): Promise<FieldError[]> => {
  const { currency } = fields;
  const pointer = "/currency";
  if (!isCurrency(currency)) return [{ pointer, detail: "Enter a currency code in upper case, such as EUR." }];
  const row = await findBillingSubscription(sql, merchantId);
  if (!row || row.endedAt !== null) return [];
  const plan = await getPlanOf(sql, { ...row, from: at });
  if (plan.terms.currencies.has(currency)) return [];
  const known = [...plan.terms.currencies.keys()].join(", ");
  return [{ pointer, detail: `Your plan has no prices in ${currency}. Choose one of: ${known}.` }];
};
