"use client";
import { useEffect } from "react";
import { setPreferenceCookie } from "../layout/preference-cookie.ts";

/** Selects the merchant that the page's URL names, so that the next pages show it too. */
export const SelectMerchant = ({ merchantId }: { merchantId: string }) => {
  useEffect(() => setPreferenceCookie("merchant", merchantId, "/merchant"), [merchantId]);
  return null;
};
