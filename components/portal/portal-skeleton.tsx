import styles from "./portal-shell.module.css";
import { Skeleton } from "./skeleton.tsx";

/** The outline of a page, shown while a page that was opened from the navigation loads (`PendingMark`). */
export const PortalSkeleton = () => (
  <div className={styles.skeletons} aria-hidden="true">
    <Skeleton shape="title" />
    <Skeleton shape="line" />
    <Skeleton shape="card" />
    <Skeleton shape="row" />
    <Skeleton shape="row" />
  </div>
);
