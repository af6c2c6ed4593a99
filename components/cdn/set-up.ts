import { defineButton } from "./consent/define-button.ts";
import { handToOpener } from "./consent/hand-to-opener.ts";
import { createStartConsent, type StartConsent } from "./consent/start-consent.ts";

/**
 * What a page gets when it loads the script: the button, the answer to the opener on a callback page, and `startConsent`.
 * @param script address of the script
 */
export const setUp = (script: string | undefined): { startConsent: StartConsent } => {
  const startConsent = createStartConsent(script);
  handToOpener();
  defineButton(startConsent);
  return { startConsent };
};
