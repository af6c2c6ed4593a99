import { inkOn } from "./ink-on.ts";
import styles from "./party-logo.module.css";

const tones = [styles.tone0, styles.tone1, styles.tone2, styles.tone3];

type PartyLogoProps = {
  name: string;
  size?: "small" | "large" | undefined;
  /** a merchant's own picture and color */
  brand?: { logoUri: string | null; accentColor: string | null } | null | undefined;
  /** describes the picture to screen readers */
  alt?: string;
};

/**
 * The logo of a merchant, or the initials of a client or merchant. Without a brand color, a name always gets the same
 * color. Pass only logos from our own host, because other sites could track visitors.
 */
export const PartyLogo = ({ name, size, brand, alt = "" }: PartyLogoProps) => {
  const shape = `${styles.logo} ${size ? styles[size] : ""}`;
  const color = brand?.accentColor ?? null;
  if (brand?.logoUri) {
    const frame = color === null ? {} : { style: { borderColor: color } };
    return (
      // biome-ignore lint/performance/noImgElement: next/image would keep copies of a small picture that can be removed
      <img className={`${shape} ${styles.picture}`} {...frame} src={brand.logoUri} alt={alt} width={48} height={48} />
    );
  }
  const look = color === null ? {} : { style: { background: color, color: inkOn(color) } };
  return (
    <span className={`${shape} ${color === null ? tones[toneOf(name)] : ""}`} {...look} aria-hidden="true">
      {initials(name)}
    </span>
  );
};

const initials = (name: string): string => {
  const words = name.split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => [...word][0]) : [...(words[0] ?? "?")].slice(0, 2);
  return letters.join("").toUpperCase();
};

const toneOf = (name: string): number =>
  [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % tones.length;
