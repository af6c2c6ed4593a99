import { readResponse, toMessage } from "./authorization-response.ts";

/**
 * The origin that may receive the response: `data-opener-origin` of the script element or, by default, the origin of
 * the callback page.
 */
const openerOrigin = (): string => {
  const named = document.querySelector<HTMLScriptElement>("script[data-opener-origin]")?.dataset["openerOrigin"];
  return named === undefined ? location.origin : new URL(named).origin;
};

/**
 * On a callback page in a popup, sends the response to the page that opened the popup, and closes the popup. The
 * browser delivers the message only if that page has exactly the expected origin. On any other page, this does nothing.
 */
export const handToOpener = (): void => {
  const opener = window.opener as Window | null;
  const response = readResponse(location.search);
  if (!opener || !response) return;
  opener.postMessage(toMessage(response), openerOrigin());
  window.close();
};
