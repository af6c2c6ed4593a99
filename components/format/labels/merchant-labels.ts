import type { OperatorMerchant } from "#server/trpc/operator/operator-views.ts";
import type { Tone } from "../../ui/pill.tsx";
import { sentenceCase } from "../text.ts";

/** The filters of the list. */
export const merchantStates = {
  active: "Active",
  pending: "Waiting for approval",
  declined: "Declined",
  not_connected: "Processor doesn’t accept charges",
  unpaid: "Invoice unpaid",
  no_plan: "Plan ended",
  suspended: "Suspended",
} as const;

export const isMerchantState = (text: string | undefined): text is keyof typeof merchantStates =>
  text !== undefined && Object.hasOwn(merchantStates, text);

const tones: Readonly<Record<OperatorMerchant["standing"], Tone>> = {
  active: "good",
  pending: "warn",
  declined: "bad",
  not_connected: "warn",
  unpaid: "bad",
  no_plan: "warn",
  suspended: "bad",
};

export const merchantStateLabel = ({
  standing,
}: Pick<OperatorMerchant, "standing">): { tone: Tone; label: string } => ({
  tone: tones[standing],
  label: merchantStates[standing],
});

const acts: Readonly<Record<string, string>> = {
  "merchant.created": "Created",
  "merchant.approved": "Approved",
  "merchant.declined": "Declined",
  "merchant.suspended": "Suspended",
  "merchant.resumed": "Suspension lifted",
  "merchant.billing_suspended": "New charges refused because of an unpaid invoice",
  "merchant.billing_resumed": "New charges no longer refused because of an invoice",
  "merchant.category_changed": "Category changed",
  "merchant.settings_changed": "Settings changed",
  "merchant.logo_changed": "Logo changed",
  "merchant.logo_removed": "Logo removed",
  "merchant.processor_account_created": "Account at the processor created",
  "merchant.processor_page_opened": "Processor’s onboarding page opened",
  "merchant.processor_account_forgotten": "Disconnected account removed",
  "merchant.processor_state_changed": "State of the processor account changed",
  "merchant.tax_details_changed": "Tax details changed",
  "billing_payment_method.set": "Payment method for invoices set",
  "subscription.assigned": "Plan assigned",
  "subscription.changed": "Plan change requested",
  "subscription.change_withdrawn": "Plan change withdrawn",
  "subscription.plan_changed": "Plan changed",
  "subscription.coupon_applied": "Coupon applied",
  "subscription.coupon_removed": "Coupon removed",
  "subscription.ended": "Plan ended",
  "sla_credit.added": "SLA credit added",
};

export const merchantActionLabel = (action: string): string => acts[action] ?? sentenceCase(action);
