import { defineButton } from "./consent/define-button.ts";
import { handToOpener } from "./consent/hand-to-opener.ts";
import { createStartConsent, type StartConsent } from "./consent/start-consent.ts";

/**
 * Sets up the page that loads the script: sends the response to the opener if this is a callback page, defines the
 * button, and returns `startConsent`.
 * @param script address of the script
 */
export const setUp = (script: string | undefined): { startConsent: StartConsent } => {
  const startConsent = createStartConsent(script);
  handToOpener();
  defineButton(startConsent);
  return { startConsent };
};
