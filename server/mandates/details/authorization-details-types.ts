import { z } from "zod";
import type { JsonObject } from "../../kernel/text/json.ts";
import { paymentMandateSchema, paymentMandateType } from "./payment-mandate.wire.ts";

type Typed = JsonObject & { readonly type: string };

export type DetailsTypeMetadata = { version: string; description: string; schema: Typed; examples: readonly Typed[] };

const example = {
  type: paymentMandateType,
  actions: ["verify", "charge"],
  currency: "EUR",
  max_amount_per_payment: 6000,
  periodic_limits: [{ period: "month", alignment: "calendar", max_amount: 24_000 }],
  time_zone: "Europe/Berlin",
  payees: [{ category: "5411" }],
  payer_presence: ["in_session", "off_session"],
  purpose: "Weekly groceries",
};

/**
 * Metadata of each type of authorization_details (OAuth 2.0 RAR Metadata, draft-zehavi-oauth-rar-metadata-04). The
 * published schema is generated from the validating schema. Rules that JSON Schema can't express (registered payees,
 * existing time zones, an end within a year) are also checked at PAR.
 */
export const authorizationDetailsTypes: Readonly<Record<string, DetailsTypeMetadata>> = {
  [paymentMandateType]: {
    version: "1",
    description: "A payer's permission to spend money within limits. Amounts are integers in the currency's minor unit",
    schema: z.toJSONSchema(paymentMandateSchema, { io: "input" }) as Typed,
    examples: [example],
  },
};
