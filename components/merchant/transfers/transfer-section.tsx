import type { EntryTransfer } from "#server/trpc/merchant/directory/entry-transfer-views.ts";
import type { Reader } from "../../format/reader.ts";
import { Time } from "../../format/time.tsx";
import { Section } from "../../portal/page-head.tsx";
import styles from "../../portal/portal.module.css";
import { CancelOffer } from "./cancel-offer.tsx";
import { OfferForm } from "./offer-form.tsx";

type Props = {
  merchantId: string;
  /** of the signed-in member */
  email: string;
  /** the open offer; null: none */
  made: EntryTransfer | null;
  mayOffer: boolean;
  mayCancel: boolean;
  now: Date;
  reader: Reader;
};

/** Offers the merchant's entry to another merchant, or shows the open offer. */
export const TransferSection = ({ merchantId, email, made, mayOffer, mayCancel, now, reader }: Props) => {
  if (made === null) {
    return mayOffer ? (
      <Section title="Transfer to another merchant">
        <OfferForm merchantId={merchantId} email={email} />
      </Section>
    ) : null;
  }
  return (
    <Section title="Transfer to another merchant">
      <div className={`card ${styles.form} ${styles.box}`}>
        <p>
          Offered to <b>{made.to.name}</b> <code>{made.to.id}</code>
        </p>
        <p className="small muted">
          {made.to.name} can accept until <Time at={made.expiresAt} now={now} reader={reader} isInSentence />. The entry
          stays yours unless they accept.
        </p>
        {mayCancel ? (
          <div className={styles.acts}>
            <CancelOffer merchantId={merchantId} transferId={made.id} toName={made.to.name} />
          </div>
        ) : null}
      </div>
    </Section>
  );
};
