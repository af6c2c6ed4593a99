import type { MerchantPlanUsage } from "#server/trpc/merchant/billing/plan-usage.ts";
import type { Reader } from "../../../format/reader.ts";
import { PreviewedInvoice } from "../plan/previewed-invoice.tsx";

/** What the period costs so far in one currency. Credits are used when the invoice is issued. */
export const UsageTable = ({ cost, reader }: { cost: MerchantPlanUsage["costs"][number]; reader: Reader }) => (
  <PreviewedInvoice
    invoice={{ ...cost, creditAppliedMinor: 0, prepaidAppliedMinor: 0, amountDueMinor: cost.totalMinor }}
    caption={`Costs in ${cost.currency}`}
    amount="Cost so far"
    reader={reader}
  />
);
