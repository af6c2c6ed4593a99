"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { recentWriteCookie } from "#server/kernel/requests/recent-write.ts";
import { refreshIfReady } from "../layout/refresh-if-ready.ts";

/** Without a connection, the page is refreshed this often while it is visible. */
const fallbackMilliseconds = 30_000;

/**
 * Refreshes the page when the payer's charges change. The browser reconnects automatically. If the server refuses the
 * connection, for example because too many pages are open, the page is refreshed at intervals and when it becomes
 * visible.
 * @param fingerprint `wallet.activityFingerprint`, read before the data of the page. If the fingerprint has changed
 * since then, the page is refreshed.
 */
export const LiveRefresh = ({ fingerprint }: { fingerprint: string }) => {
  const router = useRouter();
  const known = useRef(fingerprint);
  known.current = fingerprint;
  useEffect(() => {
    const input = encodeURIComponent(JSON.stringify({ fingerprint: known.current }));
    const source = new EventSource(`/api/trpc/wallet.activityChanges?input=${input}`);
    source.onmessage = ({ data }) => {
      if (data === JSON.stringify(known.current)) return;
      // Makes the refresh read the primary: a standby may lack the change, and no later event would correct the page.
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure context
      document.cookie = recentWriteCookie;
      void refreshIfReady(router);
    };
    // The server refused the connection. If it weren't closed here, the browser would retry every few seconds.
    source.addEventListener("serialized-error", () => source.close());
    const refresh = () => {
      if (document.visibilityState === "visible" && source.readyState === EventSource.CLOSED)
        void refreshIfReady(router);
    };
    const timer = setInterval(refresh, fallbackMilliseconds);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      source.close();
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [router]);
  return null;
};
