/**
 * The details of a new account. Requests with the same idempotency key must have the same details, because the
 * processor compares them.
 */
export type NewAccount = {
  merchantId: string;
  displayName: string;
  /** ISO 3166-1 alpha-2; null: the merchant chooses it at the processor */
  country: string | null;
  websiteUri: string | null;
  /** ISO 18245 */
  mcc: string;
  /** text on bank statements; null: the processor chooses it; absent in requests of earlier releases */
  statementDescriptor?: string | null;
};

/** What the processor reports about an account. */
export type AccountReport = {
  chargesEnabled: boolean;
  payoutsEnabled: boolean;
  /** the merchant has completed the processor's form at least once */
  detailsSubmitted: boolean;
  /** names of the details that the processor needs now */
  due: readonly string[];
  /** the names in `due` whose deadline has passed */
  pastDue: readonly string[];
  /** details that the processor is checking */
  pending: readonly string[];
  dueBy: Date | null;
  disabledReason: string | null;
};
