import type { OperatorInvoice } from "#server/trpc/operator/billing/operator-invoice-views.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Fact, Facts } from "../../ui/facts.tsx";

/** From the sum of the lines to the amount due. */
export const OperatorInvoiceTotals = ({ invoice, reader }: { invoice: OperatorInvoice; reader: Reader }) => {
  const amount = (minor: number) => formatAmount(minor, invoice.currency, reader);
  const used: readonly (readonly [string, number])[] = [
    ["Credit balance used", invoice.creditAppliedMinor],
    ["Prepaid credit used", invoice.prepaidAppliedMinor],
    ["Credit notes", invoice.amountCreditedMinor],
    ["Paid", invoice.amountPaidMinor],
    ["To the credit balance", invoice.toCreditBalanceMinor],
  ];
  return (
    <Facts>
      <Fact name="Subtotal">{amount(invoice.subtotalMinor)}</Fact>
      {invoice.discounts.map(({ coupon, amountMinor }) => (
        <Fact key={coupon ?? ""} name={coupon === null ? "Discount: plan’s maximum" : `Discount: ${coupon}`}>
          {amount(amountMinor)}
        </Fact>
      ))}
      {invoice.type === "credit_note" && invoice.discountMinor !== 0 ? (
        <Fact name="Discounts">{amount(invoice.discountMinor)}</Fact>
      ) : null}
      {invoice.taxes.map(({ category, rate, baseMinor, amountMinor }) => (
        <Fact key={`${category} ${rate}`} name={`Tax ${rate}% (${category}) of ${amount(baseMinor)}`}>
          {amount(amountMinor)}
        </Fact>
      ))}
      <Fact name="Total">{amount(invoice.totalMinor)}</Fact>
      {used
        .filter(([, minor]) => minor !== 0)
        .map(([name, minor]) => (
          <Fact key={name} name={name}>
            {amount(minor)}
          </Fact>
        ))}
      {invoice.type === "invoice" ? <Fact name="Due">{amount(invoice.amountDueMinor)}</Fact> : null}
    </Facts>
  );
};
