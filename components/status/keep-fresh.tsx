"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

const everyMilliseconds = 30_000;

/** Renders the page anew in place while somebody looks at it. Asks first whether anybody answers: what is shown stays. */
export const KeepFresh = () => {
  const router = useRouter();
  useEffect(() => {
    const refresh = async () => {
      if (document.visibilityState !== "visible") return;
      try {
        const answer = await fetch("/healthz", { cache: "no-store" });
        if (answer.ok) router.refresh();
      } catch {
        // Nobody answers: tried again at the next turn.
      }
    };
    const timer = setInterval(() => void refresh(), everyMilliseconds);
    const onShow = () => void refresh();
    document.addEventListener("visibilitychange", onShow);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onShow);
    };
  }, [router]);
  return null;
};
