import { Skeleton } from "../ui/skeleton.tsx";
import styles from "./wallet-shell.module.css";

/** In the shape of what comes; shown while the next wallet page is on its way (`PendingMark`). */
export const WalletSkeleton = () => (
  <div className={styles.skeletons} aria-hidden="true">
    <Skeleton shape="title" />
    <Skeleton shape="line" />
    <Skeleton shape="card" />
    <Skeleton shape="row" />
    <Skeleton shape="row" />
  </div>
);
