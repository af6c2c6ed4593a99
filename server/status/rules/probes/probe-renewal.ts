const day = 24 * 3600;

/** How long a probe's consent is valid, and how long before its end a new one is requested. */
export const probeSeconds = 90 * day;
export const probeSoonSeconds = 30 * day;

/** Nothing listens at this address. No response is sent to it, because the pushed requests expire unused. */
export const agentRedirectUri = "http://127.0.0.1:9/probe";

/** The payment that a synthetic journey asks about. */
export const probePayment = { amount: 1, currency: "EUR", payer_presence: "off_session" } as const;

/** The probe's mandate: verifies the smallest amount for its own merchant, and allows no charge. */
export const probeDetails = ({ merchantId, validUntil }: { merchantId: string; validUntil?: Date }) => ({
  type: "payment_mandate_v1" as const,
  actions: ["verify" as const],
  currency: probePayment.currency,
  max_amount_per_payment: probePayment.amount,
  payees: [{ id: merchantId }],
  payer_presence: [probePayment.payer_presence],
  purpose: "Status page probe",
  ...(validUntil === undefined ? {} : { valid_until: validUntil.toISOString() }),
});

/** The request and the grant, compared with the keys and secrets of this process. */
export type ProbeStatus = {
  /** the requested keys and secret belong to this process */
  isOurs: boolean;
  /** this process has the granted secret */
  isGranted: boolean;
  /** requested and not granted yet */
  isPending: boolean;
  /** the granted mandate and refresh token are valid */
  isLive: boolean;
  endsSoon: boolean;
};

/**
 * Whether a journey can run now, and whether to request consent. Consent is requested if there is none, if it has ended
 * or ends soon, or if it was requested with the keys of another process. A pending request isn't repeated.
 * @param status null: nothing was requested.
 */
export const decideProbe = (status: ProbeStatus | null): { shouldRequest: boolean; canRun: boolean } => {
  if (!status) return { shouldRequest: true, canRun: false };
  const { isOurs, isGranted, isPending, isLive, endsSoon } = status;
  return { shouldRequest: !isOurs || (!isPending && (!isLive || endsSoon)), canRun: isOurs && isGranted && isLive };
};
