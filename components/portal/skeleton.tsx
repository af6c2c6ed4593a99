import styles from "./skeleton.module.css";

/** A placeholder with the size of the content, so that the page doesn't move when the content is loaded. */
export const Skeleton = ({ shape }: { shape: "line" | "title" | "card" | "chart" | "row" | "attention" }) => (
  <div className={`${styles.skeleton} ${styles[shape]}`} aria-hidden="true" />
);
