/** The seller or the buyer of an invoice (EN 16931, BG-4 and BG-7). */
export type BillingParty = {
  name: string;
  line1: string;
  line2: string | null;
  postalCode: string | null;
  city: string;
  /** ISO 3166-1 alpha-2 */
  country: string;
  vatNumber: string | null;
};

/** The company that issues invoices. `email`: for questions about invoices. */
export type BillingIssuer = BillingParty & { email: string };
