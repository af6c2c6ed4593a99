"use client";
import { useState } from "react";
import { Icon, type IconName } from "./icon.tsx";
import styles from "./theme-toggle.module.css";

export type Theme = "system" | "light" | "dark";

const choices: readonly { theme: Theme; icon: IconName; label: string }[] = [
  { theme: "system", icon: "screen", label: "Theme of the system" },
  { theme: "light", icon: "sun", label: "Light theme" },
  { theme: "dark", icon: "moon", label: "Dark theme" },
];

const yearSeconds = 365 * 24 * 3600;

/** The choice is a cookie that the server renders by, so that no page ever flashes in the other theme. */
const remember = (theme: Theme) => {
  const { protocol } = window.location;
  const lifetime = theme === "system" ? 0 : yearSeconds;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API isn't in every browser that we serve
  document.cookie = `theme=${theme}; Path=/; Max-Age=${lifetime}; SameSite=Lax${protocol === "https:" ? "; Secure" : ""}`;
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
};

export const ThemeToggle = ({ initial }: { initial: Theme }) => {
  const [current, setCurrent] = useState(initial);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame around three toggle buttons
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
            remember(theme);
            setCurrent(theme);
          }}
        >
          <Icon name={icon} size={16} />
        </button>
      ))}
    </div>
  );
};
