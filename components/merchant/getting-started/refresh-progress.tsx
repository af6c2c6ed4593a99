"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

const everyMilliseconds = 4_000;

/** Reads the progress again while the page is visible. Render it until every step is done. */
export const RefreshProgress = () => {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") router.refresh();
    }, everyMilliseconds);
    return () => clearInterval(timer);
  }, [router]);
  return null;
};
