import { setUp } from "../set-up.ts";

/** paygrant.mjs. */
export const { startConsent } = setUp(import.meta.url);
