/**
 * Navigates to another page. A button that awaits this stays busy until the page opens. The browser's Back button shows
 * this page again.
 */
export const openPage = async (url: string): Promise<void> => {
  window.location.assign(url);
  await new Promise((resolve) => window.addEventListener("pageshow", resolve, { once: true }));
};
