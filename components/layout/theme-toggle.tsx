"use client";
import { useState } from "react";
import { Icon, type IconName } from "../ui/icon.tsx";
import { setPreferenceCookie } from "./preference-cookie.ts";
import styles from "./theme-toggle.module.css";

export type Theme = "system" | "light" | "dark";

const choices: readonly { theme: Theme; icon: IconName; label: string }[] = [
  { theme: "system", icon: "screen", label: "System theme" },
  { theme: "light", icon: "sun", label: "Light theme" },
  { theme: "dark", icon: "moon", label: "Dark theme" },
];

const choose = (theme: Theme) => {
  setPreferenceCookie("theme", theme === "system" ? "" : theme);
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
};

export const ThemeToggle = ({ initial }: { initial: Theme }) => {
  const [current, setCurrent] = useState(initial);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a border around the buttons
    <div className={styles.group} role="group" aria-label="Theme">
      {choices.map(({ theme, icon, label }) => (
        <button
          key={theme}
          type="button"
          className={styles.choice}
          aria-pressed={theme === current}
          aria-label={label}
          title={label}
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
