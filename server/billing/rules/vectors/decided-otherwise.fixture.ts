/** Examples for which docs/spec/billing.md requires a different result, each with the rule that requires it. */
export const decidedOtherwise: Readonly<Record<string, string>> = {
  "vol-lago-100.5": "Price models: quantities are whole units",
  "pct-lago-docs-4th": "Price models: basis points have no free charges and no fixed amount per charge",
  "pct-lago-free-total": "Price models: basis points have no free amount",
  "pct-lago-free2": "Price models: basis points have no free charges",
  "pct-lago-minmax-fixed": "Price models: basis points have no fixed amount per charge",
  "pror-lago-quarter-cancel":
    "Periods: a day on which a part ends doesn't belong to that part, so the part has 31 days",
  "cur-kwd-stripe": "Amounts: an invoice uses the currency's minor units, even if the processor uses others",
  "cur-isk-stripe": "Amounts: exponents are those of server/kernel/money, even if the processor uses others",
  "prepaid-zuora-tax": "Arithmetic of invoices: prepaid credits pay the total, and don't change the tax",
  "numbering-lago-month": "Invoices: numbers are gapless per issuer and year",
  "dunning-lago-threshold": "Collection: every unpaid invoice is collected; there is no threshold",
  "dunning-recurly-stop": "Collection: attempts are on days 1, 3, 5 and 7; hard declines aren't retried",
  "dunning-yuno": "Collection: attempts are on days 1, 3, 5 and 7 after the first failure",
};

/** In other examples, these members have a different value under our specification. */
export const membersDecidedOtherwise: Readonly<Record<string, readonly string[]>> = {
  // Arithmetic of invoices: tax is computed per category and rate, on the sum of rounded net amounts.
  "coupon-lago-breakdown": ["tax_once_minor", "tax_per_line_minor"],
  "tax-stripe-fees": ["per_line_minor"],
  // Arithmetic of invoices: with inclusive prices the net is rounded.
  "tax-inclusive-zuora": ["round_tax"],
  // Arithmetic of invoices: coupons are applied before tax, prepaid credits after it.
  "order-lago-history": ["all_before_tax_minor", "all_after_tax_minor"],
  // Credit notes: the tax of a note is the tax of all notes so far, minus the tax of the earlier notes.
  "tax-lago-cn-vs-invoice": ["naive_cn_tax_minor", "naive_sum"],
  // Arithmetic of invoices: prepaid credits pay the total, not lines.
  "prepaid-openmeter-lines": ["applied_minor"],
  // Amounts: the amount due isn't rounded again.
  "en16931-vertex-totals": ["payable"],
  // Price models: steps have units, not packages.
  "tierpkg-killbill-5325": ["packages"],
};
