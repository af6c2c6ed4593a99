import type { PaymentMandateDetails } from "#server/mandates/details/payment-mandate.wire.ts";
import type { Brand } from "#server/merchants/brand.ts";
import type { ConsentRight } from "#server/oauth/rules/scopes.ts";

export type Payee = { id: string; name: string; brand?: Brand | null } | { category: string };

export type Terms = { mandateId: string; details: PaymentMandateDetails; payees: readonly Payee[] };

/** The requested terms. If the request changes a mandate, `current` has the terms in force. */
export type RequestedMandate = Terms & {
  /**
   * for each of `periodic_limits`, in order: the end of the current period, or of the first period of a mandate that
   * hasn't started; null if the mandate ends by then
   */
  resets: readonly (Date | null)[];
  current: (Terms & { isPaused: boolean }) | null;
};

/** Why a decision or a new payment method was refused. `field` is the form field; null: the whole form. */
export type ConsentProblem = { field: string | null; message: string };

/** Everything that the consent page shows. */
export type ConsentRequest = {
  handle: string;
  formToken: string;
  /** the account that decides */
  payer: { name: string; email: string };
  client: {
    /** of the directory entry if the client is verified; otherwise as the client registered it */
    name: string;
    /** as the client registered it; the wallet shows this name */
    appName: string;
    isVerified: boolean;
    brand?: Brand | null;
    domain: string | null;
  };
  redirectHost: string;
  mandates: readonly RequestedMandate[];
  /** other rights that the client requests */
  rights: readonly ConsentRight[];
  /** set if the request replaces a grant; `ends` lists the mandates that end with that grant */
  replaces: { ends: readonly Terms[]; paymentMethodId: string | null; budgetVisible: boolean } | null;
};
