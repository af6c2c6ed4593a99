import type { Page } from "@playwright/test";

/** Delays the scripts of the next pages. @returns a function that lets them load */
export const holdScripts = async (page: Page): Promise<() => void> => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/_next/static/**/*.js*", async (route) => {
    await isReleased;
    await route.continue();
  });
  return release;
};
