import type { Grant } from "#client";

/** The limits of the demo's mandate, in minor units. */
export type GrantedLimits = { perPaymentMinor: number; perMonthMinor: number };

/** The id and the limits of the mandate that the payer granted. */
export const readGrantedMandate = ({ mandates: [mandate] }: Pick<Grant, "mandates">) => {
  const perPaymentMinor = mandate?.maxAmountPerPayment;
  const perMonthMinor = mandate?.periodicLimits?.[0]?.maxAmount;
  if (!mandate) throw new Error("The token response contains no mandate.");
  if (perPaymentMinor === undefined || perMonthMinor === undefined) {
    throw new Error("The mandate in the token response has no limits.");
  }
  return { mandateId: mandate.identifier, granted: { perPaymentMinor, perMonthMinor } };
};
