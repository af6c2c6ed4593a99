/** Pages in English and German. All other pages are in English, except app/not-found.tsx. */
const payerPages = /^\/(?:sign-in|sign-up|reset|email-change|consent|notifications|wallet)(?:[/?]|$)/;

/** @param address path and query of the page */
export const isPayerPage = (address: string): boolean => payerPages.test(address);
