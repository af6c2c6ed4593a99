"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

const intervalMilliseconds = 30_000;

/** Refreshes a visible page. If the process doesn't answer, the page keeps its content. */
export const KeepFresh = () => {
  const router = useRouter();
  useEffect(() => {
    const refresh = async () => {
      if (document.visibilityState !== "visible") return;
      try {
        const answer = await fetch("/healthz", { cache: "no-store" });
        if (answer.ok) router.refresh();
      } catch {
        // There was no response. The next interval repeats the request.
      }
    };
    const timer = setInterval(() => void refresh(), intervalMilliseconds);
    const onShow = () => void refresh();
    document.addEventListener("visibilitychange", onShow);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onShow);
    };
  }, [router]);
  return null;
};
