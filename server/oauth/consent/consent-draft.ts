import { keepRequestDraft, type PushedRequestRow } from "../../data/oauth/pushed-requests.ts";
import type { Deps } from "../../deps/deps.ts";

/** What a payer entered and selected on a consent page, by field name. Empty fields are absent. */
export type ConsentDraft = Readonly<Record<string, string>>;

const fieldName =
  /^(?:m\d{1,3}_(?:max_amount_per_payment|max_total_amount|max_payments|step_up_above|p\d_max_(?:amount|payments)|valid_until)|payment_method_id|budget_visible)$/;
const maxLength = 64;

/** Stores the fields of a refused decision, so that the page shows them to the same payer again. */
export const keepDraft = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  input: { handle: string; payerId: string; form: Readonly<Record<string, unknown>> },
): Promise<void> => {
  const fields = Object.entries(input.form).filter(
    ([name, value]) => fieldName.test(name) && typeof value === "string" && value.length <= maxLength,
  );
  const draft = { payerId: input.payerId, fields: Object.fromEntries(fields) };
  await keepRequestDraft(db.sql, { handle: input.handle, draft, now: clock.now() });
};

export const readDraft = ({ draft }: Pick<PushedRequestRow, "draft">, payerId: string): ConsentDraft | null =>
  draft?.["payerId"] === payerId ? (draft["fields"] as ConsentDraft) : null;
