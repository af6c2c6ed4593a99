const day = 24 * 3600;

/** How long a trial's consent stands, and how long before its end it is asked for anew. */
export const probeSeconds = 90 * day;
export const probeSoonSeconds = 30 * day;

/** Where no code ever arrives: what is pushed there is left to lapse. */
export const agentRedirectUri = "http://127.0.0.1:9/probe";

/** What one payment of a trial would be. */
export const probePayment = { amount: 1, currency: "EUR", payer_presence: "off_session" } as const;

/** The trial's permission: the smallest amount, to its own merchant, to ask about and never to charge. */
export const probeDetails = ({ merchantId, validUntil }: { merchantId: string; validUntil?: Date }) => ({
  type: "payment_mandate_v1" as const,
  actions: ["verify" as const],
  currency: probePayment.currency,
  max_amount_per_payment: probePayment.amount,
  payees: [{ id: merchantId }],
  payer_presence: [probePayment.payer_presence],
  purpose: "Trial of the status page",
  ...(validUntil === undefined ? {} : { valid_until: validUntil.toISOString() }),
});

/** What was asked for and granted, held against what this process knows. */
export type ProbeStatus = {
  /** its keys are those that were asked for, and it knows the secret asked for last */
  isOurs: boolean;
  /** it knows the secret that was granted */
  isGranted: boolean;
  /** asked for, and not granted yet */
  isPending: boolean;
  /** the mandate and the refresh token that were granted stand */
  isLive: boolean;
  endsSoon: boolean;
};

/**
 * Whether a trial can be made now, and whether consent is to be asked for: where there is none, where it has ended or soon
 * will, or where it was asked for by somebody else. What was asked for is waited for, and not asked for again.
 * @param standing null: nothing was asked for.
 */
export const decideProbe = (standing: ProbeStatus | null): { shouldRequest: boolean; canRun: boolean } => {
  if (!standing) return { shouldRequest: true, canRun: false };
  const { isOurs, isGranted, isPending, isLive, endsSoon } = standing;
  return { shouldRequest: !isOurs || (!isPending && (!isLive || endsSoon)), canRun: isOurs && isGranted && isLive };
};
