import type { OperatorCreditPreview } from "#server/trpc/operator/billing/operator-invoice-views.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Fact, Facts } from "../../ui/facts.tsx";

/** The credit note before it is created. */
export const CreditNotePreview = ({
  note,
  currency,
  reader,
}: {
  note: OperatorCreditPreview;
  currency: string;
  reader: Reader;
}) => {
  const amount = (minor: number) => formatAmount(minor, currency, reader);
  return (
    <section aria-label="Preview" aria-live="polite">
      <Facts>
        {note.lines.map(({ id, description, amountMinor }) => (
          <Fact key={id} name={description}>
            {amount(amountMinor)}
          </Fact>
        ))}
        {note.discountMinor === 0 ? null : <Fact name="Discounts">{amount(-note.discountMinor)}</Fact>}
        <Fact name="Tax">{amount(note.taxMinor)}</Fact>
        <Fact name="Total of the credit note">{amount(note.totalMinor)}</Fact>
        <Fact name="Reduces the amount due by">{amount(note.settledMinor)}</Fact>
        {note.toCreditsMinor === 0 ? null : (
          <Fact name="Returned to prepaid and promotional credits">{amount(note.toCreditsMinor)}</Fact>
        )}
        <Fact name="Added to the credit balance">{amount(note.toCreditBalanceMinor)}</Fact>
      </Facts>
    </section>
  );
};
