import type { BillingIssuer, BillingParty } from "../../kernel/billing/party.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import type { InvoiceObject } from "./invoice.wire.ts";

type StoredParty = {
  name: string;
  line1: string;
  line2: string | null;
  postal_code: string | null;
  city: string;
  country: string;
  vat_number: string | null;
};
/** The format that `makeSnapshot` writes. */
type Stored = {
  seller: StoredParty & { email: string };
  buyer: StoredParty | null;
  tax_behaviour: "exclusive" | "inclusive";
  invoice: InvoiceObject;
};

const toParty = ({ name, line1, line2, city, country, ...rest }: StoredParty): BillingParty => ({
  name,
  line1,
  line2,
  postalCode: rest.postal_code,
  city,
  country,
  vatNumber: rest.vat_number,
});

/** The parties and the invoice as they were when the invoice was issued. */
export const readSnapshot = (
  snapshot: JsonObject,
): {
  seller: BillingIssuer;
  buyer: BillingParty | null;
  taxBehaviour: "exclusive" | "inclusive";
  invoice: InvoiceObject;
} => {
  const stored = snapshot as unknown as Stored;
  return {
    seller: { ...toParty(stored.seller), email: stored.seller.email },
    buyer: stored.buyer && toParty(stored.buyer),
    taxBehaviour: stored.tax_behaviour,
    invoice: stored.invoice,
  };
};
