import { Skeleton } from "../ui/skeleton.tsx";
import { CardGrid } from "./page-head.tsx";

/** In the shape of what comes. */
export const WalletSkeleton = () => (
  <>
    <span className="visuallyHidden" role="status">
      Loading
    </span>
    <Skeleton shape="title" />
    <CardGrid>
      <Skeleton shape="card" />
      <Skeleton shape="card" />
      <Skeleton shape="card" />
    </CardGrid>
    <Skeleton shape="row" />
    <Skeleton shape="row" />
  </>
);
