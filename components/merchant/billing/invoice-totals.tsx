import type { MerchantInvoice } from "#server/trpc/merchant/billing/billing-views.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { SumLine, Sums } from "../../ui/facts.tsx";
import { sumsOf } from "./sums-of.ts";

/** The steps from the sum of the lines to the amount due. */
export const InvoiceTotals = ({ invoice, reader }: { invoice: MerchantInvoice; reader: Reader }) => {
  const amount = (minor: number) => formatAmount(minor, invoice.currency, reader);
  return (
    <Sums>
      {sumsOf(invoice, reader)
        .filter(({ name }) => name !== "Due")
        .map(({ name, amountMinor }) => (
          <SumLine key={name} name={name} isTotal={name === "Total"}>
            {amount(amountMinor)}
          </SumLine>
        ))}
      {invoice.amountCreditedMinor === 0 ? null : (
        <SumLine name="Settled by credit notes">{amount(-invoice.amountCreditedMinor)}</SumLine>
      )}
      {invoice.type === "invoice" ? (
        <>
          <SumLine name="Paid">{amount(invoice.amountPaidMinor)}</SumLine>
          <SumLine name="Due" isTotal>
            {amount(invoice.amountDueMinor)}
          </SumLine>
        </>
      ) : null}
    </Sums>
  );
};
