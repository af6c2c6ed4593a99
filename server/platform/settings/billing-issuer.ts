import { z } from "zod";
import type { BillingIssuer } from "../../kernel/billing/party.ts";

const text = z.string().trim().min(1).max(200);
const schema = z.strictObject({
  name: text,
  line1: text,
  line2: text.optional(),
  postal_code: text.optional(),
  city: text,
  country: z.string().regex(/^[A-Z]{2}$/, "must be an ISO 3166-1 alpha-2 code"),
  vat_number: z
    .string()
    .regex(
      /^[A-Z]{2}[0-9A-Z+*]{2,13}$/,
      "must be two capital letters and 2 to 13 further characters, for example DE123456789",
    )
    .optional(),
  email: z.email(),
});

/** The default on a loopback address, because invoices of the demo data and of tests need an issuer. */
export const demoIssuer: BillingIssuer = {
  name: "Paygrant Demo GmbH",
  line1: "Beispielstraße 1",
  line2: null,
  postalCode: "10115",
  city: "Berlin",
  country: "DE",
  vatNumber: "DE123456789",
  email: "billing@demo.paygrant.test",
};

/**
 * @param source a JSON object, for example
 *   `{"name":"…","line1":"…","postal_code":"…","city":"…","country":"DE","vat_number":"DE…","email":"…"}`.
 * @returns null for an empty text.
 * @throws Error that says what is wrong, and names the invalid member.
 */
export const parseBillingIssuer = (source: string): BillingIssuer | null => {
  if (source === "") return null;
  const read = schema.safeParse(parseJson(source));
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Error(`${issue?.path.join(".") || "invalid JSON object"}: ${issue?.message ?? "is invalid"}`);
  }
  const { postal_code: postalCode, vat_number: vatNumber, line2, ...rest } = read.data;
  return { ...rest, line2: line2 ?? null, postalCode: postalCode ?? null, vatNumber: vatNumber ?? null };
};

const parseJson = (source: string): unknown => {
  try {
    return JSON.parse(source);
  } catch {
    throw new Error("must be a JSON object in one line");
  }
};
