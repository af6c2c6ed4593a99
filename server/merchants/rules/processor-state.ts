import type { AccountReport } from "../../kernel/processor-account.ts";

/**
 * The progress of a merchant's account at the processor. `restricted`: charges are stopped until details are completed.
 * `disabled`: the merchant can't enable it again; the processor or Paygrant must.
 */
export type ProcessorState =
  | "not_connected"
  | "details_needed"
  | "in_review"
  | "enabled"
  | "restricted"
  | "disabled"
  | "disconnected";

/** `disabledReason` of an account that the merchant disconnected or that was deleted. */
export const disconnected = "disconnected";

/** The report on an account that our API key can no longer access. */
export const goneReport: AccountReport = {
  chargesEnabled: false,
  payoutsEnabled: false,
  detailsSubmitted: true,
  due: [],
  pastDue: [],
  pending: [],
  dueBy: null,
  disabledReason: disconnected,
};

type Known = Omit<AccountReport, "payoutsEnabled" | "dueBy"> & {
  /** the processor's account id; empty until the account is created */
  account: string;
};

/** docs.stripe.com/api/accounts/object: `requirements.disabled_reason` says who must act. */
export const processorState = (known: Known): ProcessorState => {
  const { account, chargesEnabled, detailsSubmitted, due, pastDue, disabledReason } = known;
  if (account === "") return "not_connected";
  if (chargesEnabled) return "enabled";
  if (disabledReason === disconnected) return "disconnected";
  if (disabledReason !== null && isBeyondMerchant(disabledReason)) return "disabled";
  if (!detailsSubmitted) return "details_needed";
  if (pastDue.length > 0) return "restricted";
  return due.length > 0 ? "details_needed" : "in_review";
};

const isBeyondMerchant = (reason: string): boolean =>
  reason.startsWith("rejected.") || reason === "listed" || reason === "platform_paused" || reason === "other";
