import styles from "./party-logo.module.css";

const tones = [styles.tone0, styles.tone1, styles.tone2, styles.tone3];

/**
 * Initials of a client or merchant, always in the same colour. Pictures from other sites are never loaded: those sites
 * could track visitors.
 */
export const PartyLogo = ({ name, isLarge = false }: { name: string; isLarge?: boolean }) => (
  <span className={`${styles.logo} ${isLarge ? styles.large : ""} ${tones[toneOf(name)]}`} aria-hidden="true">
    {initials(name)}
  </span>
);

const initials = (name: string): string => {
  const words = name.split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => [...word][0]) : [...(words[0] ?? "?")].slice(0, 2);
  return letters.join("").toUpperCase();
};

const toneOf = (name: string): number =>
  [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % tones.length;
