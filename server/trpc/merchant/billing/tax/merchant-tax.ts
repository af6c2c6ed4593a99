import { z } from "zod";
import { findMerchantTax } from "../../../../billing/tax-details/find-merchant-tax.ts";
import { setTaxDetails } from "../../../../billing/tax-details/set-tax-details.ts";
import { byMerchant, inputMerchant, memberProcedure, router } from "../../../init.ts";
import { toMerchantTax } from "./tax-views.ts";

/** Above the limit of every field, so that the domain function can name the field and its limit. */
const text = z.string().max(1_000);

const details = byMerchant.extend({
  /** of the details that the member saw; 0 without details */
  seenVersion: z.int().min(0),
  legalName: text,
  line1: text,
  line2: text,
  postalCode: text,
  city: text,
  country: text,
  vatNumber: text,
});

/** A merchant's own tax details (docs/spec/billing.md, Tax details). */
export const merchantTaxRouter = router({
  details: memberProcedure("billing.read", inputMerchant)
    .input(byMerchant)
    .query(async ({ ctx: { deps, merchantId } }) => toMerchantTax(deps, await findMerchantTax(deps, { merchantId }))),

  save: memberProcedure("billing.change", inputMerchant)
    .input(details)
    .mutation(async ({ ctx: { deps, merchantId, by }, input: { merchantId: _, ...fields } }) => {
      const { version } = await setTaxDetails(deps, { ...fields, merchantId, ...by });
      return { version };
    }),
});
