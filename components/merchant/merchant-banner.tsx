import type { Environment } from "../layout/page-frame.tsx";
import { CopyId } from "../ui/copy/copy-id.tsx";
import styles from "./merchant-banner.module.css";
import { MerchantChoice } from "./merchant-choice.tsx";

export type BannerMerchant = { merchantId: string; name: string; role: string };

/**
 * Shows the merchant and whether real money moves. Links to the other environment, which has its own sign-in. On narrow
 * screens, the banner is one line that can be expanded.
 */
export const MerchantBanner = ({
  current,
  merchants,
  environment,
  isSimulated,
  otherUrl,
}: {
  current: BannerMerchant;
  merchants: readonly BannerMerchant[];
  environment: Environment;
  /** whether every charge of this environment goes to the simulator */
  isSimulated: boolean;
  /** null: there is no other environment */
  otherUrl: string | null;
}) => {
  const isSandbox = environment === "sandbox";
  return (
    <section
      aria-label="Merchant and environment"
      className={isSandbox ? `${styles.banner} ${styles.sandbox}` : styles.banner}
      data-stays=""
    >
      <span className={styles.who}>
        {merchants.length > 1 ? (
          <MerchantChoice key={current.merchantId} current={current.merchantId} merchants={merchants} />
        ) : (
          <b>{current.name}</b>
        )}
        <span className="muted">as {current.role}</span>
        <span>
          {isSandbox ? "Sandbox" : "Production"}
          <span className={styles.money}>{moneyNote({ isSandbox, isSimulated })}</span>
        </span>
      </span>
      <details className={styles.more}>
        <summary>More</summary>
        <span className={styles.where}>
          <CopyId label="merchant_id" text={current.merchantId} />
          <a href="/merchant/new">New merchant</a>
          {otherUrl ? <a href={otherUrl}>{isSandbox ? "Go to production" : "Go to the sandbox"}</a> : null}
        </span>
      </details>
    </section>
  );
};

/** The text after the environment’s name. The sandbox accepts only test keys, so no processor moves real money. */
const moneyNote = ({ isSandbox, isSimulated }: { isSandbox: boolean; isSimulated: boolean }): string => {
  if (isSandbox) return `: no real money moves.${isSimulated ? " The processor is simulated." : ""}`;
  return isSimulated ? ". The processor is simulated." : ": real money moves.";
};
