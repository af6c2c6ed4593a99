"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

const everyMilliseconds = 5_000;

/** Refreshes the visible page until the payment's outcome is known and this component is removed. */
export const WatchPayment = () => {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") router.refresh();
    }, everyMilliseconds);
    return () => clearInterval(timer);
  }, [router]);
  return null;
};
