import type { Environment } from "../layout/page-frame.tsx";
import styles from "./merchant-banner.module.css";
import { MerchantChoice } from "./merchant-choice.tsx";

export type BannerMerchant = { merchantId: string; name: string; role: string };

/** For whom the pages speak, and whether money moves; the other environment is one step away, with a sign-in of its own. */
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
  /** whether this environment's processor is the simulator, as on a machine that tries it out */
  isSimulated: boolean;
  /** null: this machine has no other environment */
  otherUrl: string | null;
}) => {
  const isSandbox = environment === "sandbox";
  const name = isSandbox ? "Sandbox" : "Production";
  return (
    <section
      aria-label="Merchant and environment"
      className={isSandbox ? `${styles.banner} ${styles.sandbox}` : styles.banner}
      data-stays=""
    >
      <span className={styles.who}>
        {merchants.length > 1 ? (
          <MerchantChoice current={current.merchantId} merchants={merchants} />
        ) : (
          <b>{current.name}</b>
        )}
        <span className="muted">as {current.role}</span>
      </span>
      <span className={styles.where}>
        <span>{isSandbox || isSimulated ? `${name}: no real money moves` : `${name}: real money moves`}</span>
        {otherUrl ? <a href={otherUrl}>{isSandbox ? "Go to production" : "Go to the sandbox"}</a> : null}
      </span>
    </section>
  );
};
