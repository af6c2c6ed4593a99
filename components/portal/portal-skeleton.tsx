import styles from "./portal-shell.module.css";
import { Skeleton } from "./skeleton.tsx";

/** In the shape of what comes; shown while the next page is on its way (`PendingMark`). */
export const PortalSkeleton = () => (
  <div className={styles.skeletons} aria-hidden="true">
    <Skeleton shape="title" />
    <Skeleton shape="line" />
    <Skeleton shape="card" />
    <Skeleton shape="row" />
    <Skeleton shape="row" />
  </div>
);
