import { setTimeout as sleep } from "node:timers/promises";
import type { PartAnswer } from "#components/operator/home/page-part.tsx";
import { pageDeps } from "../../page-context.ts";

/** How long a page waits for one of its parts. */
const waitMilliseconds = 3_000;

/**
 * The result for one part of a page. A failure is logged and shown in this part only. If the data isn't loaded in time,
 * the result is `late`, so that a slow part doesn't delay the page's next update.
 */
export const loadPart = <Data>(name: string, load: Promise<Data>): Promise<PartAnswer<Data>> => {
  const loaded = load.then(
    (data): PartAnswer<Data> => ({ kind: "loaded", data }),
    async (err: unknown): Promise<PartAnswer<Data>> => {
      (await pageDeps()).log.error({ err, part: name }, "a part of the page could not be loaded");
      return { kind: "failed" };
    },
  );
  const late = new Promise<PartAnswer<Data>>((resolve) => {
    const timer = setTimeout(() => resolve({ kind: "late" }), waitMilliseconds);
    void loaded.then(() => clearTimeout(timer));
  });
  return Promise.race([loaded, late]);
};

/** How long a page waits before it shows placeholders. */
const placeholderMilliseconds = 1_000;

/**
 * Resolves when all parts are loaded, or after a second, so that placeholders are shown for slow parts only.
 * @param parts null: a part that the page doesn't have
 */
export const waitForParts = async (parts: readonly (Promise<unknown> | null)[]): Promise<void> => {
  await Promise.race([Promise.all(parts), sleep(placeholderMilliseconds, undefined, { ref: false })]);
};
