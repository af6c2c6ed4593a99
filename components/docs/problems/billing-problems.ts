/** What each error code of the billing engine means, and what to do. */
export const billingProblems: Readonly<Record<string, string>> = {
  plan_not_found: "No plan with this ID and version is available. GET /billing/plans lists the plans.",
  currency_not_priced: "The plan has no prices in a required currency. `detail` names the currency.",
  coupon_not_applicable:
    "The coupon is unknown, listed twice, or doesn’t apply to this plan, currency or usage. Remove it from the request.",
  estimate_too_large: "The usage of the estimate is too large. `detail` has the limit. Reduce the usage.",
  invoice_too_large:
    "An amount of the invoice exceeds 2^53 − 1 minor units. The plan’s prices are too high for this usage. Ask Paygrant for another plan.",
  plan_version_retired: "This version of the plan accepts no new subscriptions. Choose another plan or version.",
  change_pending:
    "The subscription already has a pending change. Withdraw it with DELETE /billing/subscription/pending-change, or wait until it takes effect.",
  invoice_not_final: "The invoice is a draft. Repeat the request after the invoice is finalized.",
  invoice_is_final: "The invoice is final and can’t be changed. Correct it with a credit note.",
  invoice_not_open: "The invoice isn’t open. `detail` has its status.",
  invoice_not_creditable: "Only an open or paid invoice can be credited.",
  invoice_has_payments:
    "The invoice has a payment or a credit note, so it can’t be voided. Credit the remaining amount instead.",
  invoice_payment_unresolved: "The outcome of a payment of the invoice isn’t known yet. Settle the payment first.",
  tax_wait_not_over: "The draft has waited less than 7 days for the merchant’s tax details. Decide after 7 days.",
  credit_conflict: "A different credit was already granted with this key. Use a new key.",
  credit_note_conflict: "A different credit note was already created with this key. Use a new key.",
  sla_credit_conflict: "A different SLA credit was already added with this key. Use a new key.",
  sla_month_not_computed:
    "The SLA credits of this month aren’t computed yet, or the component wasn’t measured in this month.",
  sla_credit_too_high:
    "The credit is higher than what is left of the month’s fees after earlier SLA credits. `detail` has the highest amount.",
  reconciliation_pending: "The usage of the period isn’t reconciled yet. Repeat the request later.",
};
