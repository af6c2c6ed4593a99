import { setUp } from "../set-up.ts";

/** The entry of paygrant.js. The build makes these exports members of the global object `Paygrant`. */
export const { startConsent } = setUp((document.currentScript as HTMLScriptElement | null)?.src);
