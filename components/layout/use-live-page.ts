"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { refreshIfReady } from "./refresh-if-ready.ts";

/** Refreshes the page at an interval while it is visible, and when it becomes visible again. */
export const useLivePage = (everyMilliseconds: number, isPaused = false): void => {
  const router = useRouter();
  useEffect(() => {
    if (isPaused) return;
    const refresh = () => {
      if (document.visibilityState === "visible") void refreshIfReady(router);
    };
    const timer = setInterval(refresh, everyMilliseconds);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [router, everyMilliseconds, isPaused]);
};
