"use client";
import { useEffect, useRef } from "react";
import { SubmitButton } from "../ui/button.tsx";
import styles from "./merchant-banner.module.css";
import { selectMerchant } from "./select-merchant.ts";

const choose = (merchantId: string): void => {
  selectMerchant(merchantId);
  window.location.assign("/merchant");
};

/**
 * Selects the merchant that the pages show. The server checks the membership at each request. Without JavaScript, this
 * is a native form with a button. Use `current` as the component's key, so that a choice in another tab resets the
 * field.
 */
export const MerchantChoice = ({
  current,
  merchants,
}: {
  current: string;
  merchants: readonly { merchantId: string; name: string; role: string }[];
}) => {
  const field = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    // The browser keeps a choice that was made before the script ran, but React doesn't call `onChange` for this
    // choice.
    const chosen = field.current?.value ?? current;
    if (chosen !== current) choose(chosen);
  }, [current]);
  return (
    <form method="post" action="/merchant/choice" autoComplete="off" className={styles.form}>
      <select
        ref={field}
        name="merchant"
        aria-label="Merchant"
        className={styles.choice}
        defaultValue={current}
        onChange={(event) => choose(event.target.value)}
      >
        {merchants.map(({ merchantId, name, role }) => (
          <option key={merchantId} value={merchantId}>
            {name} ({role})
          </option>
        ))}
      </select>
      <noscript>
        <SubmitButton size="small">Switch</SubmitButton>
      </noscript>
    </form>
  );
};
