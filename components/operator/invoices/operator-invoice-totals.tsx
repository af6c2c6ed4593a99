import type { OperatorInvoice } from "#server/trpc/operator/billing/operator-invoice-views.ts";
import { taxText } from "../../format/labels/tax-labels.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { SumLine, Sums } from "../../ui/facts.tsx";

/** The steps from the sum of the lines to the amount due. */
export const OperatorInvoiceTotals = ({ invoice, reader }: { invoice: OperatorInvoice; reader: Reader }) => {
  const amount = (minor: number) => formatAmount(minor, invoice.currency, reader);
  const used: readonly (readonly [string, number])[] = [
    ["Credit balance used", invoice.creditAppliedMinor],
    ["Prepaid and promotional credit used", invoice.prepaidAppliedMinor],
    ["Settled by credit notes", invoice.amountCreditedMinor],
    ["Paid", invoice.amountPaidMinor],
    ["Added to the credit balance", invoice.toCreditBalanceMinor],
  ];
  return (
    <Sums>
      <SumLine name="Subtotal">{amount(invoice.subtotalMinor)}</SumLine>
      {invoice.discounts.map(({ coupon, amountMinor }) => (
        <SumLine
          key={coupon ?? ""}
          name={coupon === null ? "Discount: fees above the plan’s maximum" : `Discount: ${coupon}`}
        >
          {amount(amountMinor)}
        </SumLine>
      ))}
      {invoice.type === "credit_note" && invoice.discountMinor !== 0 ? (
        <SumLine name="Discounts">{amount(invoice.discountMinor)}</SumLine>
      ) : null}
      {invoice.taxes.map((tax) => (
        <SumLine key={`${tax.category} ${tax.rate}`} name={`Tax ${taxText(tax, reader)} of ${amount(tax.baseMinor)}`}>
          {amount(tax.amountMinor)}
        </SumLine>
      ))}
      <SumLine name="Total" isTotal>
        {amount(invoice.totalMinor)}
      </SumLine>
      {used
        .filter(([, minor]) => minor !== 0)
        .map(([name, minor]) => (
          <SumLine key={name} name={name}>
            {amount(minor)}
          </SumLine>
        ))}
      {invoice.type === "invoice" ? (
        <SumLine name="Due" isTotal>
          {amount(invoice.amountDueMinor)}
        </SumLine>
      ) : null}
    </Sums>
  );
};
