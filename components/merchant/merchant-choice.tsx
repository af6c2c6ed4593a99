"use client";
import styles from "./merchant-banner.module.css";

const yearSeconds = 365 * 24 * 3600;

/** A member of several merchants looks at one at a time; the server checks the membership at each request. */
export const MerchantChoice = ({
  current,
  merchants,
}: {
  current: string;
  merchants: readonly { merchantId: string; name: string }[];
}) => (
  <select
    aria-label="Merchant"
    className={styles.choice}
    defaultValue={current}
    onChange={(event) => {
      const { protocol } = window.location;
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API isn't in every browser that we serve
      document.cookie = `merchant=${event.target.value}; Path=/merchant; Max-Age=${yearSeconds}; SameSite=Lax${protocol === "https:" ? "; Secure" : ""}`;
      window.location.assign("/merchant");
    }}
  >
    {merchants.map(({ merchantId, name }) => (
      <option key={merchantId} value={merchantId}>
        {name}
      </option>
    ))}
  </select>
);
