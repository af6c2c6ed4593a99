import type { WalletMandate } from "#server/trpc/views.ts";
import type { Reader } from "../mandates/words.ts";
import { PartyLogo } from "../ui/party-logo.tsx";
import { Pill } from "../ui/pill.tsx";
import { MandateActs } from "./mandate-acts.tsx";
import { actingMandate } from "./mandate-card.tsx";
import styles from "./mandate-head.module.css";
import { isLive, stateWords } from "./mandate-words.ts";

export const MandateHead = ({ mandate, reader }: { mandate: WalletMandate; reader: Reader }) => {
  const { tone, label } = stateWords(mandate);
  return (
    <div className={styles.head}>
      <div className={styles.who}>
        <PartyLogo name={mandate.client.name} isLarge />
        <div>
          <div className={styles.title}>
            <h1>{mandate.client.name}</h1>
            <Pill tone={tone}>{label}</Pill>
          </div>
          <p className="muted small">{mandate.purpose ? `“${mandate.purpose}”` : "No purpose given"}</p>
        </div>
      </div>
      {isLive(mandate) ? <MandateActs mandate={actingMandate(mandate, reader)} /> : null}
    </div>
  );
};
