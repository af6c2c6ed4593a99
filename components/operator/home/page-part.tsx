import { type ReactNode, Suspense } from "react";
import { Skeleton } from "../../portal/skeleton.tsx";
import { Notice } from "../../ui/notice.tsx";

/** `late`: the data isn't loaded yet, and the page doesn't wait any longer. */
export type PartAnswer<Data> = { kind: "loaded"; data: Data } | { kind: "failed" | "late" };
export type Unloaded = "failed" | "late";

type Props<Data> = {
  answer: Promise<PartAnswer<Data>>;
  /** shown while the part loads */
  pending?: ReactNode;
  unloaded: (why: Unloaded) => ReactNode;
  children: (data: Data) => ReactNode;
};

/** A part of a page. It loads independently of the other parts, which are shown even if this part fails. */
export const PagePart = <Data,>({ pending = <Skeleton shape="card" />, ...part }: Props<Data>) => (
  <Suspense fallback={pending}>
    <LoadedPart {...part} />
  </Suspense>
);

const LoadedPart = async <Data,>({ answer, unloaded, children }: Omit<Props<Data>, "pending">) => {
  const part = await answer;
  return part.kind === "loaded" ? children(part.data) : unloaded(part.kind);
};

/** @param name the name of the part, capitalized, because it starts the notice */
export const PartNotice = ({ name, why }: { name: string; why: Unloaded }) => (
  <Notice tone="warn">
    {name}: {unloadedText(why)}
  </Notice>
);

const unloadedText = (why: Unloaded): string =>
  why === "late"
    ? "loading is taking too long. The page tries again with its next update."
    : "loading failed. The page tries again with its next update.";
