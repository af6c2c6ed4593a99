"use client";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { Icon } from "../../ui/icon.tsx";
import styles from "./approval-card.module.css";

/** Counts down by the browser's monotonic clock, so a wrong system time doesn't matter. At zero, refreshes the page. */
export const TimeLeft = ({ seconds }: { seconds: number }) => {
  const t = useTranslations("approvals");
  const router = useRouter();
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    setLeft(seconds);
    const end = performance.now() + seconds * 1_000;
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((end - performance.now()) / 1_000));
      setLeft(rest);
      if (rest > 0) return;
      clearInterval(timer);
      router.refresh();
    }, 500);
    return () => clearInterval(timer);
  }, [seconds, router]);
  return (
    <span className={`num ${styles.left}`} role="timer">
      <Icon name="clock" size={16} />
      {t("left", { time: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` })}
    </span>
  );
};
