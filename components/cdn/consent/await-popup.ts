import { type ConsentResult, readMessage, resultOf } from "./authorization-response.ts";

type Expected = {
  /** `iss` of the response (RFC 9207 §2.4) */
  issuer: string;
  /** origin of the callback page */
  origin: string;
  timeoutMs: number;
};

const pollMilliseconds = 300;
/** The callback page sends the message, then closes its window. The message may arrive after the window closes. */
const graceMilliseconds = 700;

/**
 * Waits for the message of the callback page in the popup. A message counts only if it comes from this popup and from
 * the callback's origin, and names the issuer. All other messages are ignored.
 */
export const awaitPopup = (popup: Window, { issuer, origin, timeoutMs }: Expected): Promise<ConsentResult> =>
  new Promise((resolve, reject) => {
    const stopped = new AbortController();
    const settle = (finish: () => void) => {
      stopped.abort();
      clearInterval(poll);
      clearTimeout(timer);
      finish();
    };
    const end = (status: "closed" | "timed_out") => settle(() => resolve({ status }));
    const onMessage = ({ source, origin: sender, data }: MessageEvent) => {
      const response = source === popup && sender === origin ? readMessage(data) : null;
      if (response?.iss !== issuer) return;
      settle(() => {
        try {
          resolve(resultOf(response));
        } catch (error) {
          reject(error);
        }
        popup.close();
      });
    };
    const poll = setInterval(() => {
      if (!popup.closed) return;
      clearInterval(poll);
      setTimeout(() => {
        if (!stopped.signal.aborted) end("closed");
      }, graceMilliseconds);
    }, pollMilliseconds);
    const timer = setTimeout(() => {
      popup.close();
      end("timed_out");
    }, timeoutMs);
    window.addEventListener("message", onMessage, { signal: stopped.signal });
  });
