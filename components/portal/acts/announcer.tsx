"use client";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import styles from "./announcer.module.css";

const Announce = createContext<(text: string) => void>(() => undefined);

/** Returns a function that says what an action did, at the bottom of the page. Screen readers read it. */
export const useAnnounce = () => useContext(Announce);

const shownMilliseconds = 8_000;

/** Shows the last announcement for 8 seconds. */
export const Announcer = ({ children }: { children: ReactNode }) => {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    if (text === null) return;
    const timer = setTimeout(() => setText(null), shownMilliseconds);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <Announce value={setText}>
      {children}
      <div role="status" className={styles.place}>
        {text === null ? null : <p className={styles.text}>{text}</p>}
      </div>
    </Announce>
  );
};
