import { channel } from "node:diagnostics_channel";
import type { ClientRequest, IncomingMessage } from "node:http";

/** The target of a call, without path, query or headers, which may contain secrets. */
export type CallMade = { method: string; host: string };
type End = (status: number | null) => void;

type FetchRequest = { method?: string; origin?: string | URL };
type HttpMessage = { request: ClientRequest; response?: IncomingMessage };
type FetchMessage = { request: FetchRequest; response?: { statusCode?: number } };

const hostOf = (request: ClientRequest): string => String(request.getHeader("host") ?? request.host ?? "");

/**
 * Calls `begin` for each HTTP request that this process makes from now on, by fetch or by node:http. When the request
 * is answered or has failed, calls the function that `begin` returned.
 * @returns a function that stops watching.
 */
export const watchCalls = (begin: (call: CallMade) => End | null): (() => void) => {
  const underWay = new WeakMap<object, End>();
  const start = (request: object, call: CallMade) => {
    const end = begin(call);
    if (end) underWay.set(request, end);
  };
  const finish = (request: object, status: number | null) => {
    underWay.get(request)?.(status);
    underWay.delete(request);
  };
  const listeners: Record<string, (message: unknown) => void> = {
    "undici:request:create": (message) => {
      const { request } = message as FetchMessage;
      start(request, { method: request.method ?? "GET", host: new URL(String(request.origin)).host });
    },
    "undici:request:headers": (message) => {
      const { request, response } = message as FetchMessage;
      finish(request, response?.statusCode ?? null);
    },
    "undici:request:error": (message) => finish((message as FetchMessage).request, null),
    "http.client.request.start": (message) => {
      const { request } = message as HttpMessage;
      start(request, { method: request.method, host: hostOf(request) });
    },
    "http.client.response.finish": (message) => {
      const { request, response } = message as HttpMessage;
      finish(request, response?.statusCode ?? null);
    },
    "http.client.request.error": (message) => finish((message as HttpMessage).request, null),
  };
  for (const [name, listener] of Object.entries(listeners)) channel(name).subscribe(listener);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) channel(name).unsubscribe(listener);
  };
};
