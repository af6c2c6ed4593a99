"use client";
import { setPreferenceCookie } from "../layout/preference-cookie.ts";
import styles from "./merchant-banner.module.css";

/** Selects the merchant that the pages show. The server checks the membership at each request. */
export const MerchantChoice = ({
  current,
  merchants,
}: {
  current: string;
  merchants: readonly { merchantId: string; name: string; role: string }[];
}) => (
  <select
    aria-label="Merchant"
    className={styles.choice}
    defaultValue={current}
    onChange={(event) => {
      setPreferenceCookie("merchant", event.target.value, "/merchant");
      window.location.assign("/merchant");
    }}
  >
    {merchants.map(({ merchantId, name, role }) => (
      <option key={merchantId} value={merchantId}>
        {name} ({role})
      </option>
    ))}
  </select>
);
