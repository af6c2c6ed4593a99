"use client";
import { useState } from "react";
import { Icon, type IconName } from "../ui/icon.tsx";
import { setPreferenceCookie } from "./preference-cookie.ts";
import styles from "./theme-toggle.module.css";

export type Theme = "system" | "light" | "dark";

/** Labels in the language of the page. */
export type ThemeLabels = Readonly<Record<Theme | "group", string>>;

const choices: readonly { theme: Theme; icon: IconName }[] = [
  { theme: "system", icon: "screen" },
  { theme: "light", icon: "sun" },
  { theme: "dark", icon: "moon" },
];

const choose = (theme: Theme) => {
  setPreferenceCookie("theme", theme === "system" ? "" : theme);
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
};

export const ThemeToggle = ({ initial, labels }: { initial: Theme; labels: ThemeLabels }) => {
  const [current, setCurrent] = useState(initial);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a border around the buttons
    <div className={styles.group} role="group" aria-label={labels.group}>
      {choices.map(({ theme, icon }) => (
        <button
          key={theme}
          type="button"
          className={styles.choice}
          aria-pressed={theme === current}
          aria-label={labels[theme]}
          title={labels[theme]}
          onClick={() => {
            choose(theme);
            setCurrent(theme);
          }}
        >
          <Icon name={icon} size={16} />
        </button>
      ))}
    </div>
  );
};
