import type { useRouter } from "next/navigation";

/**
 * Refreshes the page once if the service is ready. Otherwise, for example while the database is unavailable, the
 * page keeps its content and the text in its fields.
 */
export const refreshIfReady = async (router: Pick<ReturnType<typeof useRouter>, "refresh">): Promise<void> => {
  const isReady = await fetch("/readyz", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isReady) router.refresh();
};
