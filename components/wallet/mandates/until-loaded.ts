const firstDelay = 1_000;
const longestDelay = 30_000;

/**
 * Loads data after the page was shown. A failed request is repeated with growing delays, because the page shows no
 * button that repeats it.
 * @returns a function that ends the loading
 */
export const untilLoaded = <Data>(load: () => Promise<Data>, show: (data: Data) => void): (() => void) => {
  let isCurrent = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const attempt = (delay: number): void => {
    load().then(
      (data) => {
        if (isCurrent) show(data);
      },
      () => {
        if (isCurrent) timer = setTimeout(attempt, delay, Math.min(delay * 2, longestDelay));
      },
    );
  };
  attempt(firstDelay);
  return () => {
    isCurrent = false;
    clearTimeout(timer);
  };
};
