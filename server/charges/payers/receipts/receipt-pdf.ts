import type { MandateState } from "../../../data/mandates/mandates.ts";
import { languageOf } from "../../../kernel/messages/languages.ts";
import { methodLabel } from "../../../kernel/messages/method-label.ts";
import { translator } from "../../../kernel/messages/translator.ts";
import { formatMoney } from "../../../kernel/money/money.ts";
import { startSmall } from "../../../kernel/text/start-small.ts";
import { formatEndText, formatExactTime } from "../../../kernel/time/reader-times.ts";
import type { PdfDocument, PdfSection } from "../../../platform/pdf/pdf-document.ts";
import type { ChargeState } from "../../rules/charge-states.ts";
import type { ChargeReceipt, MandateReceipt } from "./receipts.wire.ts";

/** The payer: all times of a receipt are in the payer's time zone. */
export type ReceiptReader = { locale: string; timeZone: string };

const texts = ({ locale }: ReceiptReader) => ({
  receipts: translator(locale, "receipts"),
  activity: translator(locale, "activity"),
  mandates: translator(locale, "mandates"),
  wallet: translator(locale, "wallet"),
});

const formatTime = (at: string, reader: ReceiptReader): string => formatExactTime(new Date(at), reader);

const money = (minor: number, currency: string, { locale }: ReceiptReader): string =>
  formatMoney({ amountMinor: BigInt(minor), currency }, locale);

const methodOf = (label: string | null, { locale }: ReceiptReader): string | null =>
  label === null ? null : methodLabel(label, locale);

const documentOf = (
  receipt: Pick<ChargeReceipt, "environment" | "as_of">,
  reader: ReceiptReader,
  { title, sections }: { title: string; sections: PdfSection[] },
): PdfDocument => {
  const { receipts: t } = texts(reader);
  return {
    title,
    subtitle: t("issued", { date: formatTime(receipt.as_of, reader) }),
    banner: receipt.environment === "sandbox" ? t("sandbox") : null,
    brand: t("brand"),
    sections,
    footer: t("footer"),
    pageLabel: t("page", { page: "{page}", pages: "{pages}" }),
    language: languageOf(reader.locale),
    at: receipt.as_of,
  };
};

type Row = [name: string, value: string];

export const chargeReceiptPdf = (receipt: ChargeReceipt, reader: ReceiptReader): PdfDocument => {
  const { receipts, activity: t, mandates } = texts(reader);
  const { charge, refunds, merchant, agent, mandate, payer } = receipt;
  const amount = (minor: number) => money(minor, charge.currency, reader);
  const rows: Row[] = [
    [receipts("amount"), amount(charge.amount)],
    [receipts("status"), t(`states.${charge.status as ChargeState}`)],
    ...(charge.amount_captured > 0 ? [[t("charge.paid"), amount(charge.amount_captured)] as Row] : []),
    ...(charge.amount_refunded > 0
      ? [
          [t("charge.refundedSum"), amount(charge.amount_refunded)] as Row,
          [t("charge.kept"), amount(charge.amount_captured - charge.amount_refunded)] as Row,
        ]
      : []),
    [t("columns.merchant"), merchant.name],
    [t("charge.reference"), charge.reference ?? t("charge.noReference")],
    [t("filters.agent"), agent.name],
    [mandates("terms.onBehalfOf"), mandates("terms.onBehalfOfValue", payer)],
    [t("charge.mandate"), mandate.purpose === "" ? mandate.id : `${mandate.purpose} (${mandate.id})`],
    [t("charge.method"), methodOf(charge.payment_method, reader) ?? t("charge.methodGone")],
    [t("charge.when"), formatTime(charge.created_at, reader)],
    ...(charge.approved_at === null ? [] : [[t("charge.approved"), formatTime(charge.approved_at, reader)] as Row]),
    [t("charge.id"), charge.id],
  ];
  const refundRows = refunds.map((refund): Row => {
    const state = t(`charge.refundStates.${refund.status}`);
    const reason = t(`charge.reasons.${refund.reason ?? "none"}`);
    return [formatTime(refund.created_at, reader), `${amount(refund.amount)} · ${state} · ${reason}`];
  });
  const sections = [
    { heading: null, rows },
    ...(refundRows.length > 0 ? [{ heading: t("charge.refunds"), rows: refundRows }] : []),
  ];
  return documentOf(receipt, reader, { title: receipts("charge"), sections });
};

export const mandateReceiptPdf = (receipt: MandateReceipt, reader: ReceiptReader): PdfDocument => {
  const { receipts, mandates: t, wallet } = texts(reader);
  const { mandate, agent, payer } = receipt;
  const when = (at: string) => formatTime(at, reader);
  const payees = mandate.payees.map((payee) =>
    "category" in payee ? wallet("category", { category: payee.category }) : payee.name,
  );
  const allowed = t(mandate.payer_presence.includes("off_session") ? "terms.allowed" : "terms.notAllowed");
  const threshold = mandate.step_up_above;
  const hasPeriod = mandate.limits.some(({ key }) => key.includes(":"));
  const rows: Row[] = [
    [
      t("terms.client"),
      agent.verified_domain === null
        ? t("terms.notVerified", { name: agent.name })
        : t("terms.verified", { name: agent.name, domain: agent.verified_domain }),
    ],
    [receipts("status"), t(`states.${mandate.status as MandateState}`)],
    [t("terms.granted"), when(mandate.granted_at)],
    [t("terms.onBehalfOf"), t("terms.onBehalfOfValue", payer)],
    [t("terms.payees"), payees.length > 0 ? payees.join(", ") : wallet("anyMerchant")],
    [t("terms.paymentMethod"), methodOf(mandate.payment_method, reader) ?? t("terms.noPaymentMethod")],
    [t("terms.starts"), when(mandate.valid_from)],
    mandate.ended_at === null
      ? [t("terms.ends"), formatEndText(new Date(mandate.valid_until), reader)]
      : [t("terms.ended"), when(mandate.ended_at)],
    ...(hasPeriod && mandate.time_zone !== reader.timeZone
      ? [[t("terms.periodZone"), mandate.time_zone.replaceAll("_", " ")] as Row]
      : []),
    [t("terms.presence"), allowed],
    [
      t("terms.approval"),
      threshold === null
        ? t("terms.approvalNone")
        : t("terms.approvalAbove", { amount: money(threshold, mandate.currency, reader) }),
    ],
    [t("terms.visible"), t(mandate.merchants_see_what_is_left ? "terms.yes" : "terms.no")],
    [
      t("terms.id"),
      t.markup("terms.idVersion", { id: mandate.id, version: String(mandate.version), code: (text) => text }),
    ],
  ];
  const limits = mandate.limits.map((limit) => limitRow(limit, mandate, reader));
  const sections = [
    { heading: null, rows },
    { heading: t("page.limits"), rows: limits },
  ];
  const name = mandate.purpose || agent.name;
  return documentOf(receipt, reader, { title: `${receipts("mandate")}: ${name}`, sections });
};

const limitRow = (
  { key, cap, used, held, left, resets_at: resetsAt }: MandateReceipt["mandate"]["limits"][number],
  { currency, ended_at: endedAt }: MandateReceipt["mandate"],
  reader: ReceiptReader,
): Row => {
  const { receipts, mandates: t } = texts(reader);
  const isEnded = endedAt !== null;
  const isCount = key.endsWith("count");
  const value = (amount: number) =>
    isCount ? t("limits.payments", { count: amount }) : money(amount, currency, reader);
  if (key === "per_payment") return [limitName(key, reader, isEnded), t("limits.upTo", { cap: value(cap) })];
  const parts = [
    `${receipts("used")} ${value(used)}`,
    ...(held > 0 ? [`${receipts("held")} ${value(held)}`] : []),
    `${receipts("left")} ${value(left)}`,
    ...(resetsAt === null ? [] : [`${receipts("resets")} ${formatTime(resetsAt, reader)}`]),
  ];
  return [limitName(key, reader, isEnded), `${t("limits.upTo", { cap: value(cap) })} · ${parts.join(" · ")}`];
};

const periods = ["day", "week", "month", "quarter", "year"] as const;

/** @param key `per_payment`, `total`, `month:calendar`, `month:consent:count` … */
const limitName = (key: string, reader: ReceiptReader, isEnded: boolean): string => {
  const { mandates: t } = texts(reader);
  if (key === "per_payment" || key === "total" || key === "total_count") return t(`limits.${key}`);
  const [name, alignment, count] = key.split(":");
  const period = periods.find((known) => known === name);
  if (!period) return t("limits.other");
  const words = t(isEnded || alignment === "consent" ? `limits.consent_${period}` : `limits.${period}`);
  return count === undefined ? words : t("limits.period_count", { period: startSmall(words) });
};
