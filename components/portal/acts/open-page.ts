/**
 * Navigates to another page. A button that awaits this stays busy until that page opens. If the browser's Back button
 * then shows this page again, the button is no longer busy.
 */
export const openPage = async (url: string): Promise<void> => {
  window.location.assign(url);
  await new Promise((resolve) => window.addEventListener("pageshow", resolve, { once: true }));
};
