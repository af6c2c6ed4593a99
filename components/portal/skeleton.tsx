import styles from "./skeleton.module.css";

/** A placeholder of the size of the content, so that nothing moves when the content arrives. */
export const Skeleton = ({ shape }: { shape: "line" | "title" | "card" | "row" }) => (
  <div className={`${styles.skeleton} ${styles[shape]}`} aria-hidden="true" />
);
