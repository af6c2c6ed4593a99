import type { OperatorInvoice } from "#server/trpc/operator/billing/operator-invoice-views.ts";
import { taxText } from "../../format/labels/tax-labels.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { SumLine, Sums } from "../../ui/facts.tsx";

/** The steps from the sum of the lines to the amount due. */
export const OperatorInvoiceTotals = ({ invoice, reader }: { invoice: OperatorInvoice; reader: Reader }) => {
  const amount = (minor: number) => formatAmount(minor, invoice.currency, reader);
  // An invoice below zero adds an amount to the credit balance, and its total is then zero. The total of a credit note
  // includes the amount that the credit note adds.
  const added = ["Added to the credit balance", invoice.toCreditBalanceMinor] as const;
  const isInvoice = invoice.type === "invoice";
  const settled = [
    ["Credit balance used", -invoice.creditAppliedMinor],
    ["Prepaid and promotional credit used", -invoice.prepaidAppliedMinor],
    ["Settled by credit notes", -invoice.amountCreditedMinor],
    ["Paid", invoice.amountPaidMinor],
    ...(isInvoice ? [] : [added]),
  ] as const;
  const lines = (steps: readonly (readonly [string, number])[]) =>
    steps
      .filter(([, minor]) => minor !== 0)
      .map(([name, minor]) => (
        <SumLine key={name} name={name}>
          {amount(minor)}
        </SumLine>
      ));
  return (
    <Sums>
      <SumLine name="Subtotal">{amount(invoice.subtotalMinor)}</SumLine>
      {invoice.discounts.map(({ coupon, amountMinor }) => (
        <SumLine
          key={coupon ?? ""}
          name={coupon === null ? "Discount: fees above the plan’s maximum" : `Discount: ${coupon}`}
        >
          {amount(-amountMinor)}
        </SumLine>
      ))}
      {isInvoice ? null : lines([["Discounts", -invoice.discountMinor]])}
      {invoice.taxes.map((tax) => (
        <SumLine key={`${tax.category} ${tax.rate}`} name={`Tax: ${taxText(tax, reader)} on ${amount(tax.baseMinor)}`}>
          {amount(tax.amountMinor)}
        </SumLine>
      ))}
      {isInvoice ? lines([added]) : null}
      <SumLine name="Total" isTotal>
        {amount(invoice.totalMinor)}
      </SumLine>
      {lines(settled)}
      {isInvoice ? (
        <SumLine name="Due" isTotal>
          {amount(invoice.amountDueMinor)}
        </SumLine>
      ) : null}
    </Sums>
  );
};
