"use client";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import styles from "./day-bars.module.css";

export type DayBar = {
  /** `2026-11-21` */
  day: string;
  look: "good" | "warn" | "bad" | "note" | "unknown";
  /** `21 November 2026: down for 12 minutes` */
  text: string;
};

/** A narrow screen shows only this number of days (day-bars.module.css). */
const maxNarrowDays = 45;

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/**
 * A bar per day, oldest first. The bars are one tab stop; arrow keys, Home and End move between days, and the text
 * below describes the focused day. Without JavaScript, each day still has its label for screen readers.
 */
export const DayBars = ({ name, days, children }: { name: string; days: readonly DayBar[]; children: ReactNode }) => {
  const [current, setCurrent] = useState(days.length - 1);
  const [shownText, setShownText] = useState<string | null>(null);
  const list = useRef<HTMLOListElement>(null);

  const show = (index: number) => {
    setCurrent(index);
    setShownText(days[index]?.text ?? null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
    // A narrow screen shows only the later days.
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
        {days.map(({ day, look, text }, index) => (
          <li key={day}>
            <button
              type="button"
              tabIndex={index === current ? 0 : -1}
              className={styles[look]}
              aria-label={text}
              onKeyDown={onKeyDown}
              onFocus={() => show(index)}
              onBlur={() => setShownText(null)}
              onMouseEnter={() => setShownText(text)}
              onMouseLeave={() => setShownText(null)}
            />
          </li>
        ))}
      </ol>
      <div className={`tiny ${styles.legend}`}>
        {shownText ? (
          <span className={`num ${styles.dayText}`}>{shownText}</span>
        ) : (
          <>
            <span className={styles.wide}>{days.length} days ago</span>
            <span className={styles.narrow}>{Math.min(days.length, maxNarrowDays)} days ago</span>
            <span className={`num ${styles.figure}`}>
              <span>{children}</span>
            </span>
            <span>today</span>
          </>
        )}
      </div>
    </div>
  );
};
