import { type Exchange, responseMember } from "./demo-wire.ts";

/** The limits of the demo's mandate, in minor units. */
export type GrantedLimits = { perPaymentMinor: number; perMonthMinor: number };

/** The id and the limits of the mandate that the payer granted, from the token response (RFC 9396 §7). */
export const readGrantedMandate = (token: Exchange): { mandateId: string; granted: GrantedLimits } => {
  const mandate = firstOf(responseMember(token, "authorization_details"));
  const month = firstOf(memberIn(mandate, "periodic_limits"));
  const mandateId = memberIn(mandate, "identifier");
  const perPaymentMinor = memberIn(mandate, "max_amount_per_payment");
  const perMonthMinor = memberIn(month, "max_amount");
  if (typeof mandateId !== "string") throw new Error("The token response contains no mandate.");
  if (typeof perPaymentMinor !== "number" || typeof perMonthMinor !== "number") {
    throw new Error("The mandate in the token response has no limits.");
  }
  return { mandateId, granted: { perPaymentMinor, perMonthMinor } };
};

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

const memberIn = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
