"use client";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { Button } from "../../ui/button.tsx";
import styles from "./home.module.css";

const everyMilliseconds = 10_000;

/**
 * Reads the page again while it is visible. If the process doesn't answer, the page keeps its content.
 * A reader can stop it (WCAG 2.2.2).
 */
export const KeepLive = ({ updated }: { updated: string }) => {
  const router = useRouter();
  const [isPaused, setIsPaused] = useState(false);
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
  }, [router, isPaused]);
  return (
    <div className={styles.live}>
      <span className="small muted num">
        {isPaused ? "Paused" : "Updated"} {updated}
      </span>
      <Button size="small" variant="quiet" onClick={() => setIsPaused(!isPaused)}>
        {isPaused ? "Resume updates" : "Pause updates"}
      </Button>
    </div>
  );
};
