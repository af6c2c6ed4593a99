import { translator } from "#server/kernel/messages/translator.ts";
import type { WalletMandate } from "#server/trpc/wallet/views.ts";
import { isLiveMandate, mandateStateLabel } from "../../format/labels/mandate-labels.ts";
import type { Reader } from "../../format/reader.ts";
import { HeadActs, StateTitle } from "../../portal/page-head.tsx";
import { PartyLogo } from "../../ui/party-logo.tsx";
import { Pill } from "../../ui/pill.tsx";
import { MandateActions } from "./mandate-actions.tsx";
import { toMandateActions } from "./mandate-card.tsx";
import styles from "./mandate-head.module.css";

export const MandateHead = ({ mandate, reader }: { mandate: WalletMandate; reader: Reader }) => {
  const t = translator(reader.locale, "mandates");
  const { tone, label } = mandateStateLabel(mandate, t);
  return (
    <div className={styles.head}>
      <div className={styles.who}>
        <PartyLogo name={mandate.client.name} size="large" />
        <div>
          <StateTitle title={mandate.client.name} state={<Pill tone={tone}>{label}</Pill>} />
          <p className="muted small">{mandate.purpose ? t("quoted", { text: mandate.purpose }) : t("noPurpose")}</p>
        </div>
      </div>
      <HeadActs>
        {isLiveMandate(mandate) ? <MandateActions mandate={toMandateActions(mandate, reader)} /> : null}
      </HeadActs>
    </div>
  );
};
