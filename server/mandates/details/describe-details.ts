import { translator } from "../../kernel/messages/translator.ts";
import { formatMoney } from "../../kernel/money/money.ts";
import { formatEndText } from "../../kernel/time/reader-times.ts";
import type { PaymentMandateDetails } from "./payment-mandate.wire.ts";
import { toTerms } from "./to-terms.ts";

type Described = {
  details: PaymentMandateDetails;
  /** names of merchants, or codes of categories; empty: any registered merchant */
  payees: readonly ({ name: string } | { category: string })[];
  consentedAt: Date;
};
type Reader = { locale: string; timeZone: string };

/** The permissions of a mandate, one sentence each, in the reader's language and time zone. */
export const describeDetails = ({ details, payees, consentedAt }: Described, reader: Reader): string[] => {
  const t = translator(reader.locale, "payment-mails");
  const names = payees.map((payee) => ("name" in payee ? payee.name : t("terms.category", payee)));
  const list = new Intl.ListFormat(reader.locale, { type: "disjunction" }).format(names);
  return [
    ...(details.purpose ? [t("terms.purpose", { text: details.purpose })] : []),
    names.length === 0 ? t("terms.anyMerchant") : t("terms.onlyAt", { list }),
    ...describeLimits({ details, consentedAt }, reader),
  ];
};

/** The limits of a mandate and its end, one sentence each. */
export const describeLimits = ({ details, consentedAt }: Omit<Described, "payees">, reader: Reader): string[] => {
  const t = translator(reader.locale, "payment-mails");
  const terms = toTerms(details, consentedAt);
  const amountOf = (amountMinor: bigint) => ({
    amount: formatMoney({ amountMinor, currency: terms.currency }, reader.locale),
  });
  const ofPeriods = terms.periodicLimits.flatMap(({ period, maxAmount, maxPayments }) => [
    ...(maxAmount === null ? [] : [t(`terms.period.${period}`, amountOf(maxAmount))]),
    ...(maxPayments === null ? [] : [t(`terms.payments.${period}`, { count: Number(maxPayments) })]),
  ]);
  return [
    ...(terms.maxAmountPerPayment === null ? [] : [t("terms.perPayment", amountOf(terms.maxAmountPerPayment))]),
    ...ofPeriods,
    ...(terms.maxTotalAmount === null ? [] : [t("terms.total", amountOf(terms.maxTotalAmount))]),
    ...(terms.maxPayments === null ? [] : [t("terms.totalPayments", { count: Number(terms.maxPayments) })]),
    ...(terms.stepUpAbove === null ? [] : [t("terms.stepUp", amountOf(terms.stepUpAbove))]),
    t("terms.until", { date: formatEndText(terms.validUntil, reader) }),
  ];
};
