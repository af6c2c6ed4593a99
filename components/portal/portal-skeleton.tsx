import styles from "./portal-shell.module.css";
import { Skeleton } from "./skeleton.tsx";

/** The outline of a page. It is shown after a click in the navigation, until the new page is loaded (`PendingMark`). */
export const PortalSkeleton = () => (
  <div className={styles.skeletons} aria-hidden="true">
    <Skeleton shape="title" />
    <Skeleton shape="line" />
    <Skeleton shape="card" />
    <Skeleton shape="row" />
    <Skeleton shape="row" />
  </div>
);
