"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { refreshIfReady } from "../layout/refresh-if-ready.ts";

/** Refreshes the page at this interval while it is visible. Render it until there is nothing to wait for. */
export const RefreshWhileVisible = ({ everyMilliseconds }: { everyMilliseconds: number }) => {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void refreshIfReady(router);
    }, everyMilliseconds);
    return () => clearInterval(timer);
  }, [router, everyMilliseconds]);
  return null;
};
