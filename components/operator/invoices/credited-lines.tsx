"use client";
import { useTranslations } from "use-intl";
import type { OperatorInvoice } from "#server/trpc/operator/billing/operator-invoice-views.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { NumberField, readAmount } from "../../portal/forms/amount-field.tsx";
import styles from "../../portal/portal.module.css";

/** One field for each line that can be credited. */
export const CreditedLines = ({
  invoice,
  reader,
  isDisabled,
}: {
  invoice: OperatorInvoice;
  reader: Reader;
  isDisabled: boolean;
}) => {
  const amounts = useTranslations("amounts");
  const { currency } = invoice;
  const { locale } = reader;
  return (
    <fieldset className={styles.group} disabled={isDisabled}>
      <legend>Amounts before discounts{invoice.taxBehaviour === "inclusive" ? ", with tax" : ", without tax"}</legend>
      <div className={styles.form}>
        {invoice.lines.map(({ id, description, amountMinor, creditedMinor }) => {
          const left = amountMinor - creditedMinor;
          if (left <= 0) return null;
          const maximum = formatAmount(left, currency, reader);
          return (
            <NumberField
              key={id}
              label={description}
              name={id}
              initial=""
              read={(text) => (text.trim() === "" ? 0n : readAmount(text, { currency, locale }, amounts))}
              beyond={(value) => (value > BigInt(left) ? `That is more than ${maximum}.` : null)}
              understood={(value) =>
                value === 0n ? null : (
                  <>
                    You credit <b className="num">{formatAmount(value, currency, reader)}</b>.
                  </>
                )
              }
              inputMode="decimal"
              hint={`At most ${maximum}. Leave it empty to credit nothing.`}
              refused={null}
            />
          );
        })}
      </div>
    </fieldset>
  );
};
