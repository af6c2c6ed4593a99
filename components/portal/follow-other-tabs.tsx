"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** What the frame of a page shows. `merchantId` is null outside the merchant dashboard. */
type Shown = { account: string | null; merchantId: string | null };

const differs = (left: string | null, right: string | null): boolean =>
  left !== null && right !== null && left !== right;

/**
 * Refreshes the page when another tab signs in with another account or selects another merchant. Otherwise, the next
 * page of this tab would show the new account's data below the old account's name, because the frame isn't rendered
 * again.
 */
export const FollowOtherTabs = ({ account, merchantId }: Shown) => {
  const router = useRouter();
  useEffect(() => {
    const channel = new BroadcastChannel("portal");
    channel.onmessage = ({ data }: MessageEvent<Shown>) => {
      if (differs(data.account, account) || differs(data.merchantId, merchantId)) router.refresh();
    };
    channel.postMessage({ account, merchantId } satisfies Shown);
    return () => channel.close();
  }, [account, merchantId, router]);
  return null;
};
