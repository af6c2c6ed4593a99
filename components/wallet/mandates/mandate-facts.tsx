import type { ReactNode } from "react";
import { methodLabel } from "#server/kernel/messages/method-label.ts";
import { translator } from "#server/kernel/messages/translator.ts";
import type { WalletMandate } from "#server/trpc/wallet/views.ts";
import { formatDateTime, formatEnd } from "../../format/dates.ts";
import { isLiveMandate, mandateEnd, otherPeriodZone } from "../../format/labels/mandate-labels.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import styles from "./mandate-facts.module.css";

type Term = { name: string; value: ReactNode; isMethod?: true };

/** The terms of a mandate that are not limits, as names and texts. */
const describeTerms = (
  mandate: WalletMandate,
  { reader, payer }: { reader: Reader; payer: { displayName: string; email: string } },
): Term[] => {
  const t = translator(reader.locale, "mandates");
  const { client, stepUpAboveMinor: threshold } = mandate;
  const periodZone = otherPeriodZone(mandate, reader);
  const method = mandate.paymentMethod;
  return [
    { name: t("terms.granted"), value: formatDateTime(new Date(mandate.createdAt), reader) },
    {
      name: t("terms.onBehalfOf"),
      value: t("terms.onBehalfOfValue", { name: payer.displayName, email: payer.email }),
    },
    {
      name: t("terms.client"),
      value:
        client.verifiedDomain === null
          ? t("terms.notVerified", { name: client.name })
          : t("terms.verified", { name: client.name, domain: client.verifiedDomain }),
    },
    { name: t("terms.payees"), value: describePayees(mandate, reader) },
    {
      name: t("terms.paymentMethod"),
      value: method ? methodLabel(method.label, reader.locale) : t("terms.noPaymentMethod"),
      isMethod: true,
    },
    { name: t("terms.starts"), value: formatDateTime(new Date(mandate.validFrom), reader) },
    isLiveMandate(mandate)
      ? { name: t("terms.ends"), value: formatEnd(new Date(mandate.validUntil), reader) }
      : { name: t("terms.ended"), value: formatDateTime(mandateEnd(mandate), reader) },
    ...(periodZone === null ? [] : [{ name: t("terms.periodZone"), value: periodZone }]),
    {
      name: t("terms.presence"),
      value: t(mandate.payerPresence.includes("off_session") ? "terms.allowed" : "terms.notAllowed"),
    },
    {
      name: t("terms.approval"),
      value:
        threshold === null
          ? t("terms.approvalNone")
          : t("terms.approvalAbove", { amount: formatAmount(threshold, mandate.currency, reader) }),
    },
    { name: t("terms.refunds"), value: t(mandate.restoresRefunds ? "terms.refundsRestored" : "terms.refundsCounted") },
    { name: t("terms.visible"), value: t(mandate.budgetVisible ? "terms.yes" : "terms.no") },
    {
      name: t("terms.id"),
      value:
        mandate.version > 1 ? (
          t.rich("terms.idVersion", {
            id: mandate.id,
            version: String(mandate.version),
            code: (id) => <code>{id}</code>,
          })
        ) : (
          <code>{mandate.id}</code>
        ),
    },
  ];
};

const describePayees = ({ payees }: WalletMandate, { locale }: Reader): string => {
  const t = translator(locale, "wallet");
  if (payees.length === 0) return t("anyMerchant");
  const names = payees.map((payee) => ("name" in payee ? payee.name : t("category", { category: payee.category })));
  return new Intl.ListFormat(locale, { type: "conjunction" }).format(names);
};

/** @param changeMethod a button next to the payment method */
export const MandateFacts = ({
  mandate,
  payer,
  reader,
  changeMethod,
}: {
  mandate: WalletMandate;
  payer: { displayName: string; email: string };
  reader: Reader;
  changeMethod?: ReactNode;
}) => (
  <dl className={`card ${styles.facts}`}>
    {describeTerms(mandate, { reader, payer }).map(({ name, value, isMethod }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
        {isMethod && changeMethod ? <dd className={styles.act}>{changeMethod}</dd> : null}
      </div>
    ))}
  </dl>
);
