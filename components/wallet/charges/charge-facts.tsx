import type { ReactNode } from "react";
import { methodLabel } from "#server/kernel/messages/method-label.ts";
import { translator } from "#server/kernel/messages/translator.ts";
import type { WalletChargeDetail } from "#server/trpc/wallet/views.ts";
import { formatDateTime } from "../../format/dates.ts";
import { mandateName } from "../../format/labels/mandate-labels.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { Link } from "../../ui/link.tsx";
import styles from "../mandates/mandate-facts.module.css";

export const WalletChargeFacts = ({ charge, reader }: { charge: WalletChargeDetail; reader: Reader }) => {
  const t = translator(reader.locale, "activity");
  const money = (minor: number) => formatAmount(minor, charge.currency, reader);
  const when = (at: string) => formatDateTime(new Date(at), reader);
  const { amountCapturedMinor: paid, amountRefundedMinor: refunded } = charge;
  const facts: [string, ReactNode][] = [
    [t("charge.reference"), charge.reference ?? t("charge.noReference")],
    [
      t("charge.mandate"),
      <Link key="mandate" href={`/wallet/mandates/${charge.mandate.id}`}>
        {mandateName({ client: charge.client, purpose: charge.mandate.purpose })}
      </Link>,
    ],
    [
      t("charge.method"),
      charge.paymentMethod ? methodLabel(charge.paymentMethod.label, reader.locale) : t("charge.methodGone"),
    ],
    [t("charge.when"), when(charge.createdAt)],
    [t("charge.presence"), t(charge.payerPresence === "off_session" ? "charge.absent" : "charge.present")],
    ...(charge.approvedAt === null ? [] : [[t("charge.approved"), when(charge.approvedAt)] as [string, ReactNode]]),
    ...(paid > 0 ? [[t("charge.paid"), money(paid)] as [string, ReactNode]] : []),
    ...(refunded > 0
      ? ([
          [t("charge.refundedSum"), money(refunded)],
          [t("charge.kept"), money(paid - refunded)],
        ] as [string, ReactNode][])
      : []),
    [t("charge.id"), <code key="id">{charge.id}</code>],
  ];
  return (
    <dl className={`card ${styles.facts}`}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
};
