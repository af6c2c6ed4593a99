import type Stripe from "stripe";
import { createTransport } from "../request-json.ts";
import { sender } from "../send-again.ts";

/** `refused`: the request can't have arrived. `broken`: it is unknown whether the request arrived. */
export class StripeUnreached extends Error {
  readonly kind: "refused" | "broken";
  constructor(kind: "refused" | "broken") {
    super(`connection ${kind}`);
    this.kind = kind;
  }
}

/** An unknown key, an account that isn't ours, or a rate limit: the request wasn't processed. */
const refusedStatuses: ReadonlySet<number> = new Set([401, 403, 429]);

type MakeRequest = Stripe.HttpClient["makeRequest"];

/** Whether a call is allowed, by its path and account; null is the platform's own account. */
export type Admits = (call: { path: string; account: string | null }) => boolean;

/**
 * Requires a merchant's account. Without an account, the payment would go to the platform's own account, and the
 * platform must never hold merchants' money.
 */
export const ofMerchant: Admits = ({ account }) => account?.startsWith("acct_") ?? false;

/**
 * An HTTP client for the SDK that uses our own connections. It reports whether a request can have arrived, and one
 * deadline covers the request and its repetition.
 */
export const createStripeHttpClient = (
  options: { connectMs: number; totalMs: number },
  admits: Admits,
): Stripe.HttpClient => {
  const send = sender(createTransport(options.connectMs), options.totalMs);
  const makeRequest = async (...parameters: Parameters<MakeRequest>): ReturnType<MakeRequest> => {
    const [host, port, path, method, headers, body, protocol, timeout] = parameters;
    const url = new URL(`${protocol}://${host}:${port}${path}`);
    // The SDK sets Content-Length itself; ours is computed from the body.
    const given = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || /^content-length$/i.test(name) ? [] : [[name, String(value)] as const],
    );
    const account = given.find(([name]) => /^stripe-account$/i.test(name))?.[1] ?? null;
    if (!admits({ path, account })) throw new StripeUnreached("refused");
    const { reply, isRepeat } = await send(
      {
        method: method === "GET" ? "GET" : "POST",
        url,
        headers: Object.fromEntries(given),
        ...(method === "GET" ? {} : { body }),
      },
      timeout,
    );
    if (reply.kind !== "reply") throw new StripeUnreached(isRepeat ? "broken" : reply.kind);
    // The first request may have arrived, so the refusal of the second proves nothing.
    if (isRepeat && refusedStatuses.has(reply.status)) throw new StripeUnreached("broken");
    return {
      getStatusCode: () => reply.status,
      getHeaders: () => ({}),
      getRawResponse: () => reply,
      toStream: () => {
        throw new Error("nothing is streamed");
      },
      toJSON: async () => reply.body,
    };
  };
  return { getClientName: () => "paygrant", makeRequest };
};
