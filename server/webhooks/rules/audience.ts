/** The recipients of an event depend on its object (docs/spec/payments.md, Webhooks). */
export type Audience =
  /** the mandate's client, and merchants that `payees` names or that charged the mandate */
  | "mandate"
  /** the charge's merchant and the mandate's client */
  | "charge"
  /** the merchant named in the event's data */
  | "merchant";

const byNoun: Readonly<Record<string, Audience>> = {
  mandate: "mandate",
  charge: "charge",
  refund: "charge",
  dispute: "charge",
  invoice: "merchant",
  subscription: "merchant",
  credit_note: "merchant",
  budget_alert: "merchant",
};

/** @returns null for an unknown type, which has no recipients. */
export const audienceOf = (eventType: string): Audience | null => {
  const noun = eventType.split(".")[0] ?? "";
  return Object.hasOwn(byNoun, noun) ? (byNoun[noun] ?? null) : null;
};
