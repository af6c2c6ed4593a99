import type { MerchantMandateRow } from "../../../data/mandates/merchant-mandates.ts";
import type { MerchantMandate } from "../../../mandates/merchants/get-merchant-mandate.ts";
import { toLimit } from "../../wallet/views.ts";

/** Plain JSON for the pages, with times as RFC 3339 texts. */
export const toListedMandate = ({ validUntil, since, ...mandate }: MerchantMandateRow) => ({
  ...mandate,
  validUntil: validUntil.toISOString(),
  since: since.toISOString(),
});

export const toMerchantMandate = ({ limits, validFrom, validUntil, since, endedAt, ...mandate }: MerchantMandate) => ({
  ...mandate,
  limits: limits?.map(toLimit) ?? null,
  validFrom: validFrom.toISOString(),
  validUntil: validUntil.toISOString(),
  since: since.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
});

export type MerchantListedMandate = ReturnType<typeof toListedMandate>;
export type MerchantMandateDetail = ReturnType<typeof toMerchantMandate>;
