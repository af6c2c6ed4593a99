import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import type { ClientRequest, IncomingMessage } from "node:http";

type Visit = { startedAt: number; elsewhere: number };

const visits = new AsyncLocalStorage<Visit>();
const served = new WeakMap<IncomingMessage, Visit>();
const calls = new WeakMap<ClientRequest, { visit: Visit; startedAt: number }>();
let ownMilliseconds: number[] = [];

/**
 * For each request that calls another service, measures its time without those calls. The targets limit our own share
 * of a charge, without the processor's time (docs/spec/payments.md, Performance targets).
 */
export const watchOwnShare = (): void => {
  subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    const visit = { startedAt: performance.now(), elsewhere: 0 };
    served.set(request, visit);
    visits.enterWith(visit);
  });
  subscribe("http.client.request.start", (message) => {
    const visit = visits.getStore();
    if (visit) calls.set((message as { request: ClientRequest }).request, { visit, startedAt: performance.now() });
  });
  subscribe("http.client.response.finish", (message) => {
    const call = calls.get((message as { request: ClientRequest }).request);
    if (call) call.visit.elsewhere += performance.now() - call.startedAt;
  });
  subscribe("http.server.response.finish", (message) => {
    const visit = served.get((message as { request: IncomingMessage }).request);
    if (visit && visit.elsewhere > 0) ownMilliseconds.push(performance.now() - visit.startedAt - visit.elsewhere);
  });
};

/** The times measured since the previous call of this function. */
export const takeOwnShare = (): number[] => {
  const taken = ownMilliseconds;
  ownMilliseconds = [];
  return taken;
};
