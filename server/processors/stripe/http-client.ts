import type Stripe from "stripe";
import { createTransport } from "../request-json.ts";
import { sender } from "../send-again.ts";

/** `refused`: nothing can have arrived. `broken`: nobody can tell. */
export class StripeUnreached extends Error {
  readonly kind: "refused" | "broken";
  constructor(kind: "refused" | "broken") {
    super(`connection ${kind}`);
    this.kind = kind;
  }
}

/** A key that isn't known, an account that isn't ours, a limit: nothing of the request was read. */
const turnedAway: ReadonlySet<number> = new Set([401, 403, 429]);

type MakeRequest = Stripe.HttpClient["makeRequest"];

/** Whether a call may be made: by its path, and the account that it is of; null is the platform's own. */
export type Admits = (call: { path: string; account: string | null }) => boolean;

/** A merchant's own account: without one it would be the platform's payment, and we hold no merchant's money. */
export const ofMerchant: Admits = ({ account }) => account?.startsWith("acct_") ?? false;

/** The SDK on our own connections, which know whether a request can have arrived, and keep to one deadline. */
export const createStripeHttpClient = (
  options: { connectMs: number; totalMs: number },
  admits: Admits,
): Stripe.HttpClient => {
  const send = sender(createTransport(options.connectMs), options.totalMs);
  const makeRequest: MakeRequest = async (host, port, path, method, headers, body, protocol, timeout) => {
    const url = new URL(`${protocol}://${host}:${port}${path}`);
    // The SDK names the length itself; ours is counted from the body.
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
    // The first may have arrived, so what turned the second away proves nothing.
    if (isRepeat && turnedAway.has(reply.status)) throw new StripeUnreached("broken");
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
