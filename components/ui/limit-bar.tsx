import { useId } from "react";
import styles from "./limit-bar.module.css";

/** The used (solid) and held (hatched) share of a limit. */
export const LimitBar = ({
  usedShare,
  heldShare,
  label,
  look = "fine",
}: {
  /** 0 to 1 of the cap */
  usedShare: number;
  heldShare: number;
  label: string;
  look?: "fine" | "near" | "ended";
}) => {
  const hatch = useId();
  const used = percent(usedShare);
  const held = Math.min(percent(heldShare), 100 - used);
  return (
    <div className={`${styles.bar} ${styles[look] ?? ""}`} role="img" aria-label={label}>
      <svg aria-hidden="true">
        <defs>
          <pattern id={hatch} patternUnits="userSpaceOnUse" width="6" height="6" patternTransform="rotate(-45)">
            <rect width="6" height="6" className={styles.ground} />
            <line x1="1.5" y1="0" x2="1.5" y2="6" className={styles.stripe} />
          </pattern>
        </defs>
        <rect className={styles.used} width={`${used}%`} height="100%" />
        <rect fill={`url(#${hatch})`} x={`${used}%`} width={`${held}%`} height="100%" />
      </svg>
    </div>
  );
};

const percent = (share: number): number => Math.round(Math.min(Math.max(share, 0), 1) * 1000) / 10;
