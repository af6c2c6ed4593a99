import { isRepeatable } from "../../portal/acts/trpc-client.ts";

const firstDelay = 1_000;
const longestDelay = 30_000;

/**
 * Loads data after the page was shown. A failed request is repeated with growing delays, because the page shows no
 * button that repeats it. A refused request is not repeated, for example after the session has ended.
 * @param onRefused is called if the request was refused
 * @returns a function that ends the loading
 */
export const untilLoaded = <Data>(
  load: () => Promise<Data>,
  show: (data: Data) => void,
  onRefused: () => void = () => {},
): (() => void) => {
  let isCurrent = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const attempt = (delay: number): void => {
    load().then(
      (data) => {
        if (isCurrent) show(data);
      },
      (error: unknown) => {
        if (!isCurrent) return;
        if (isRepeatable(error)) timer = setTimeout(attempt, delay, Math.min(delay * 2, longestDelay));
        else onRefused();
      },
    );
  };
  attempt(firstDelay);
  return () => {
    isCurrent = false;
    clearTimeout(timer);
  };
};
