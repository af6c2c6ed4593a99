import { formatAmount } from "../format/money.ts";
import { Icon } from "../ui/icon.tsx";
import { PartyLogo } from "../ui/party-logo.tsx";
import styles from "./consent-picture.module.css";

const limits = [
  ["each payment", 6_000],
  ["each month", 24_000],
  ["in total", 100_000],
] as const;

/** A small version of the consent page. Screen readers read it as one picture. */
export const ConsentPicture = () => (
  <div
    className={`card ${styles.picture}`}
    role="img"
    aria-label="The consent page: Grocer Bot asks to pay for you, only at Fresh Market, at most 60 euros a payment, 240 euros a month and 1,000 euros in total; you decline or approve."
  >
    <div className={styles.party} aria-hidden="true">
      <PartyLogo name="Grocer Bot" />
      <div>
        <div className="small">
          <b>Grocer Bot</b>
        </div>
        <div className="tiny">“Weekly groceries”</div>
      </div>
    </div>
    <div className={styles.title} aria-hidden="true">
      Let Grocer Bot pay for you?
    </div>
    <div className={styles.place} aria-hidden="true">
      <Icon name="shop" />
      <span>
        Only at <b>Fresh Market</b>
      </span>
    </div>
    <div className={styles.limits} aria-hidden="true">
      {limits.map(([scope, minor]) => (
        <div key={scope} className={styles.row}>
          At most <b className="num">{formatAmount(minor, "EUR", { locale: "en-GB" })}</b> {scope}
        </div>
      ))}
    </div>
    <div className={styles.acts} aria-hidden="true">
      <span className={styles.act}>Decline</span>
      <span className={styles.act}>Approve</span>
    </div>
  </div>
);
