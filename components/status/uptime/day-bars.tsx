"use client";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import styles from "./day-bars.module.css";

export type DayBar = {
  /** `2026-11-21` */
  day: string;
  look: "good" | "warn" | "bad" | "note" | "unknown";
  /** what happened, in words: `21 November 2026: 12 minutes down` */
  words: string;
};

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/**
 * A bar per day, oldest first. One stop for the Tab key; arrows, Home and End go from day to day, and beneath it is
 * read what a day was. Without script each day still has its words for whoever listens.
 */
export const DayBars = ({ name, days, children }: { name: string; days: readonly DayBar[]; children: ReactNode }) => {
  const [current, setCurrent] = useState(days.length - 1);
  const [told, setTold] = useState<string | null>(null);
  const list = useRef<HTMLOListElement>(null);

  const show = (index: number) => {
    setCurrent(index);
    setTold(days[index]?.words ?? null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
    // A narrow screen shows the later days alone.
    const ends = { Home: buttons.findIndex(({ offsetParent }) => offsetParent !== null), End: days.length - 1 };
    const step = steps[event.key];
    const target = step === undefined ? ends[event.key as keyof typeof ends] : current + step;
    if (target === undefined || !days[target]) return;
    event.preventDefault();
    buttons[target]?.focus();
  };

  return (
    <div className={styles.bars}>
      <ol ref={list} aria-label={`${name}: the last ${days.length} days`}>
        {days.map(({ day, look, words }, index) => (
          <li key={day}>
            <button
              type="button"
              tabIndex={index === current ? 0 : -1}
              className={styles[look]}
              aria-label={words}
              onKeyDown={onKeyDown}
              onFocus={() => show(index)}
              onBlur={() => setTold(null)}
              onMouseEnter={() => setTold(words)}
              onMouseLeave={() => setTold(null)}
            />
          </li>
        ))}
      </ol>
      <div className={`tiny ${styles.legend}`}>
        {told ? (
          <span className={`num ${styles.told}`}>{told}</span>
        ) : (
          <>
            <span className={styles.wide}>{days.length} days ago</span>
            <span className={styles.narrow}>45 days ago</span>
            <span className={`num ${styles.figure}`}>{children}</span>
            <span>today</span>
          </>
        )}
      </div>
    </div>
  );
};
