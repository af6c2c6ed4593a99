"use client";
import { useState } from "react";
import { useLivePage } from "../../layout/use-live-page.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./home.module.css";

const everyMilliseconds = 10_000;

/** Refreshes the page while it is visible. A reader can pause the updates (WCAG 2.2.2). */
export const KeepLive = ({ updated }: { updated: string }) => {
  const [isPaused, setIsPaused] = useState(false);
  useLivePage(everyMilliseconds, isPaused);
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
