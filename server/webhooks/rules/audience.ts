/** Who is told of an event, as what it is about says (docs/spec/payments.md, Webhooks). */
export type Audience =
  /** the mandate's client, and merchants that `payees` names or that charged it */
  | "mandate"
  /** the charge's merchant and the mandate's client */
  | "charge"
  /** the merchant that the event's data name */
  | "merchant";

const byNoun: Readonly<Record<string, Audience>> = {
  mandate: "mandate",
  charge: "charge",
  refund: "charge",
  dispute: "charge",
  invoice: "merchant",
};

/** @returns null for a kind that is nobody's: what is unknown is told to no one. */
export const audienceOf = (eventType: string): Audience | null => {
  const noun = eventType.split(".")[0] ?? "";
  return Object.hasOwn(byNoun, noun) ? (byNoun[noun] ?? null) : null;
};
