/** A limit for each period. At least one of the two maxima must be set. */
export type PeriodicLimit = {
  period: "day" | "week" | "month" | "quarter" | "year";
  alignment: "calendar" | "consent";
  maxAmount?: number;
  maxPayments?: number;
};

/** A merchant, or a category of merchants (ISO 18245). */
export type Payee = { id: string } | { category: string };

export type PayerPresence = "in_session" | "off_session";

/** A mandate as an agent requests it from a payer. Amounts are integers in the currency's minor unit. */
export type MandateRequest = {
  /** default: `payment_mandate_v1` */
  type?: "payment_mandate_v1";
  /** the mandate to change, with `grantId` of the request */
  identifier?: string;
  actions: readonly ("verify" | "charge")[];
  currency: string;
  maxAmountPerPayment?: number;
  maxTotalAmount?: number;
  maxPayments?: number;
  periodicLimits?: readonly PeriodicLimit[];
  timeZone?: string;
  payees?: readonly Payee[];
  validFrom?: string;
  validUntil?: string;
  payerPresence?: readonly PayerPresence[];
  stepUpAbove?: number;
  refundPolicy?: "consume" | "restore";
  purpose?: string;
  locations?: readonly string[];
};

/** A mandate as the payer granted it. It may be narrower than the requested mandate. */
export type GrantedMandate = MandateRequest & {
  type: "payment_mandate_v1";
  /** the mandate's id */
  identifier: string;
  paymentInstrument?: { id: string; type: string; label: string };
};
