import { type RefObject, useEffect, useRef, useState } from "react";
import type { WalletMandate } from "#server/trpc/wallet/views.ts";
import { trpc } from "../../portal/acts/trpc-client.ts";
import { untilLoaded } from "./until-loaded.ts";

export type MandateRows = { mandates: readonly WalletMandate[]; hasMore: boolean };

const pageSize = 50;

/** Loads live mandates that follow `after`: at least `count`, or all that exist. */
const loadRows = async (search: string | undefined, after: string, count: number): Promise<MandateRows> => {
  const mandates: WalletMandate[] = [];
  let hasMore = true;
  while (hasMore && mandates.length < count) {
    const startingAfter = mandates.at(-1)?.id ?? after;
    const page = await trpc.wallet.mandates.query({ show: "live", limit: pageSize, search, startingAfter });
    mandates.push(...page.mandates);
    hasMore = page.hasMore;
  }
  return { mandates, hasMore };
};

/**
 * The rows of the page, and more rows as soon as `end` comes near the visible part of the page. When the page is
 * refreshed, the added rows are loaded again, because an action may have ended some of them.
 * @param end an element after the last row
 */
export const useMoreMandates = (first: MandateRows, search: string | undefined, end: RefObject<HTMLElement | null>) => {
  const [added, setAdded] = useState<MandateRows | null>(null);
  const [isLoading, setIsLoading] = useState(false);
  const addedCount = useRef(0);
  addedCount.current = added?.mandates.length ?? 0;
  const shown = new Set(first.mandates.map(({ id }) => id));
  const mandates = [...first.mandates, ...(added?.mandates.filter(({ id }) => !shown.has(id)) ?? [])];
  const { hasMore } = added ?? first;
  const last = mandates.at(-1)?.id;

  useEffect(() => {
    const lastOfPage = first.mandates.at(-1)?.id;
    if (addedCount.current === 0 || lastOfPage === undefined) return;
    return untilLoaded(() => loadRows(search, lastOfPage, addedCount.current), setAdded);
  }, [first, search]);

  useEffect(() => {
    const { current } = end;
    if (!hasMore || last === undefined || !current) return;
    let endLoading: (() => void) | undefined;
    const append = (rows: MandateRows) => {
      setIsLoading(false);
      setAdded((before) => ({ mandates: [...(before?.mandates ?? []), ...rows.mandates], hasMore: rows.hasMore }));
    };
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        setIsLoading(true);
        endLoading = untilLoaded(
          () => loadRows(search, last, 1),
          append,
          () => setIsLoading(false),
        );
      },
      { rootMargin: "600px" },
    );
    observer.observe(current);
    return () => {
      endLoading?.();
      observer.disconnect();
      setIsLoading(false);
    };
  }, [hasMore, last, search, end]);

  return { mandates, hasMore, isLoading };
};
