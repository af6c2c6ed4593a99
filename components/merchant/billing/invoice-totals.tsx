import type { MerchantInvoice } from "#server/trpc/merchant/billing/billing-views.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Fact, Facts } from "../../ui/facts.tsx";

/** From the sum of the lines to the amount due. */
export const InvoiceTotals = ({ invoice, reader }: { invoice: MerchantInvoice; reader: Reader }) => {
  const amount = (minor: number) => formatAmount(minor, invoice.currency, reader);
  return (
    <Facts>
      <Fact name="Subtotal">{amount(invoice.subtotalMinor)}</Fact>
      {invoice.discounts.map(({ coupon, amountMinor }) => (
        <Fact
          key={coupon ?? ""}
          name={coupon === null ? "Discount: charges above the plan’s maximum" : `Discount: ${coupon}`}
        >
          {amount(amountMinor)}
        </Fact>
      ))}
      {invoice.taxes.map(({ category, rate, baseMinor, amountMinor }) => (
        <Fact key={`${category} ${rate}`} name={`Tax ${rate}% (${category}) of ${amount(baseMinor)}`}>
          {amount(amountMinor)}
        </Fact>
      ))}
      <Fact name="Total">{amount(invoice.totalMinor)}</Fact>
      {invoice.creditAppliedMinor === 0 ? null : (
        <Fact name="Credit balance used">{amount(invoice.creditAppliedMinor)}</Fact>
      )}
      {invoice.prepaidAppliedMinor === 0 ? null : (
        <Fact name="Prepaid credit used">{amount(invoice.prepaidAppliedMinor)}</Fact>
      )}
      <Fact name="Paid">{amount(invoice.amountPaidMinor)}</Fact>
      <Fact name="Due">{amount(invoice.amountDueMinor)}</Fact>
    </Facts>
  );
};
