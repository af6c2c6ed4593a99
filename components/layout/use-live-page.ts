"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

/**
 * Refreshes the page at an interval while it is visible, and when it becomes visible again. If the process doesn't
 * answer, the page keeps its content.
 */
export const useLivePage = (everyMilliseconds: number, isPaused = false): void => {
  const router = useRouter();
  useEffect(() => {
    if (isPaused) return;
    const refresh = async () => {
      if (document.visibilityState !== "visible") return;
      const isUp = await fetch("/healthz", { cache: "no-store" }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isUp) router.refresh();
    };
    const timer = setInterval(() => void refresh(), everyMilliseconds);
    const onShow = () => void refresh();
    document.addEventListener("visibilitychange", onShow);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onShow);
    };
  }, [router, everyMilliseconds, isPaused]);
};
