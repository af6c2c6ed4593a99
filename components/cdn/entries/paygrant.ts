import { setUp } from "../set-up.ts";

/** paygrant.js: the build makes these exports members of the global object `Paygrant`. */
export const { startConsent } = setUp((document.currentScript as HTMLScriptElement | null)?.src);
