import styles from "./skeleton.module.css";

/** Stands where content will, in its size, so that nothing moves when it comes. */
export const Skeleton = ({ shape }: { shape: "line" | "title" | "card" | "row" }) => (
  <div className={`${styles.skeleton} ${styles[shape]}`} aria-hidden="true" />
);
