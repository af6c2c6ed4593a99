import { declineReasonForPayer } from "#server/kernel/messages/decline-reason.ts";
import { translator } from "#server/kernel/messages/translator.ts";
import type { WalletChargeDetail } from "#server/trpc/wallet/views.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { HeadActs, StateTitle } from "../../portal/page-head.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PartyLogo } from "../../ui/party-logo.tsx";
import { ChargeState } from "../activity-table.tsx";
import styles from "../mandates/mandate-head.module.css";

/** The amount, the merchant and what the state means for the payer. */
export const ChargeHead = ({ charge, reader }: { charge: WalletChargeDetail; reader: Reader }) => {
  const t = translator(reader.locale, "activity");
  const amount = formatAmount(charge.amountMinor, charge.currency, reader);
  return (
    <>
      <div className={styles.head}>
        <div className={styles.who}>
          <PartyLogo name={charge.merchant.name} size="large" />
          <div>
            <StateTitle
              title={t("charge.title", { amount, merchant: charge.merchant.name })}
              state={<ChargeState charge={charge} t={t} />}
            />
            <p className="muted small">{t("charge.by", { agent: charge.client.name })}</p>
          </div>
        </div>
        <HeadActs>
          {charge.state === "requires_action" ? (
            <ButtonLink href={`/wallet/approvals/${charge.id}`} variant="primary">
              {t("charge.approve")}
            </ButtonLink>
          ) : null}
        </HeadActs>
      </div>
      <Meaning charge={charge} reader={reader} />
    </>
  );
};

const Meaning = ({ charge, reader }: { charge: WalletChargeDetail; reader: Reader }) => {
  const t = translator(reader.locale, "activity");
  switch (charge.state) {
    case "declined":
      return (
        <Notice tone="bad">{t("charge.declined", { reason: declineReasonForPayer(charge.declineCode, t) })}</Notice>
      );
    case "unknown":
      return <Notice tone="note">{t("charge.unknownText")}</Notice>;
    case "disputed":
      return <Notice tone="warn">{t("charge.disputedText")}</Notice>;
    default:
      return null;
  }
};
