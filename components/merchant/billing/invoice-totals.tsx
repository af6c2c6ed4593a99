import type { MerchantInvoice } from "#server/trpc/merchant/billing/billing-views.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Fact, Facts } from "../../ui/facts.tsx";
import { sumsOf } from "./sums-of.ts";

/** From the sum of the lines to the amount due. */
export const InvoiceTotals = ({ invoice, reader }: { invoice: MerchantInvoice; reader: Reader }) => {
  const amount = (minor: number) => formatAmount(minor, invoice.currency, reader);
  return (
    <Facts>
      {sumsOf(invoice, reader)
        .filter(({ name }) => name !== "Due")
        .map(({ name, amountMinor }) => (
          <Fact key={name} name={name}>
            {amount(amountMinor)}
          </Fact>
        ))}
      {invoice.amountCreditedMinor === 0 ? null : (
        <Fact name="Settled by credit notes">{amount(-invoice.amountCreditedMinor)}</Fact>
      )}
      <Fact name="Paid">{amount(invoice.amountPaidMinor)}</Fact>
      <Fact name="Due">{amount(invoice.amountDueMinor)}</Fact>
    </Facts>
  );
};
