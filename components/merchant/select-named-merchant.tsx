"use client";
import { useEffect } from "react";
import { selectMerchant } from "./select-merchant.ts";

/**
 * Selects the merchant that the page's URL names, so that the next pages show it too. Then the URL no longer names it,
 * so that a later choice, also in another tab, applies to this page.
 */
export const SelectNamedMerchant = ({ merchantId }: { merchantId: string }) => {
  useEffect(() => {
    selectMerchant(merchantId);
    const url = new URL(window.location.href);
    url.searchParams.delete("merchant");
    window.history.replaceState(window.history.state, "", url);
  }, [merchantId]);
  return null;
};
