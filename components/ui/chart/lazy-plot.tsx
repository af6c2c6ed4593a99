"use client";
import { type ComponentType, type ReactNode, useRef, useState } from "react";
import styles from "./chart.module.css";
import type { Plot } from "./plot.ts";

/**
 * Shows the static drawing, and loads the interactive one when the pointer first reaches it. Its library, recharts, is
 * about 100 kB, and most visits don't need it. If it can't be loaded, the static drawing is still shown.
 */
export const LazyPlot = ({ plot, children }: { plot: Plot; children: ReactNode }) => {
  const [Interactive, setInteractive] = useState<ComponentType<{ plot: Plot }> | null>(null);
  const isRequested = useRef(false);
  const request = () => {
    if (isRequested.current) return;
    isRequested.current = true;
    import("./interactive-plot.tsx").then(
      ({ InteractivePlot }) => setInteractive(() => InteractivePlot),
      () => {
        isRequested.current = false;
      },
    );
  };
  return (
    <div className={styles.plot} aria-hidden="true" onPointerEnter={request} onPointerDown={request}>
      {Interactive ? <Interactive plot={plot} /> : children}
    </div>
  );
};
