import { clientToken, registerMerchant } from "../../support/oauth/parties.ts";
import { type Actors, makeActors } from "../actors.ts";
import type { MeasuredService } from "../cost/measured-service.ts";
import type { Job, RequestTemplate } from "../load/job.ts";
import { usualConnections } from "../measure.ts";
import { type EndpointKey, makeTemplates, successes } from "../scenarios.ts";
import { usageEvents } from "../usage-events.ts";
import type { ActKey } from "./formula.ts";

/** A request of one act, or of several: usage events are sent in batches. */
export type Act = {
  key: Exclude<ActKey, "delivery">;
  connections: number;
  /** acts in one request */
  perRequest: number;
  /** requests of one measurement */
  requests: number;
  job(port: number, requests: number): Promise<Job>;
};

export const batchSize = 1_000;
/** Charges of one mandate wait for each other, so a run needs more mandates than connections. */
const consents = 10;
const chargeConnections = 16;
const signedRequests = 12_000;
const longest = 300;

export type World = {
  acts: readonly Act[];
  /** charges whose events are sent to a webhook endpoint */
  announced: Act;
};

/** The clients, mandates and requests of all acts. */
export const makeWorld = async ({ product, webhookUri }: MeasuredService): Promise<World> => {
  const silent = await makeActors(product.issuer, product.databaseUrl, { consents });
  const announcing = await makeActors(product.issuer, product.databaseUrl, { consents, webhookUri });
  const of = (actors: Actors, [key, endpoint]: readonly [Act["key"], EndpointKey], more: Partial<Act> = {}): Act => {
    const connections = more.connections ?? usualConnections;
    const template = makeTemplates({ actors, issuer: product.issuer })[endpoint];
    return {
      key,
      perRequest: 1,
      requests: signedRequests,
      ...more,
      connections,
      job: async (port, requests) => jobOf(await template(), { port, requests, connections, endpoint }),
    };
  };
  const charges = { connections: chargeConnections, requests: 1_500 };
  const usage = await usageActs(product.issuer);
  return {
    acts: [
      of(silent, ["token", "token"]),
      of(silent, ["par", "par"]),
      of(silent, ["introspection", "introspect"]),
      of(silent, ["verification", "verify-mandate"]),
      of(silent, ["charge", "charge"], charges),
      ...usage,
    ],
    announced: of(announcing, ["charge", "charge"], charges),
  };
};

type Requests = { port: number; requests: number; connections: number; endpoint: EndpointKey | "usage" };

const jobOf = (request: RequestTemplate, { port, requests, connections, endpoint }: Requests): Job => ({
  port,
  request,
  expected: endpoint === "usage" ? { status: 200, shape: "usage" } : successes[endpoint],
  connections: Math.min(connections, requests),
  seconds: longest,
  ratePerSecond: null,
  prepared: requests,
});

const usageActs = async (issuer: string): Promise<Act[]> => {
  const merchant = await registerMerchant(issuer, { metadata: { scope: "billing.write" } });
  const act = (key: "usage" | "usage-batch", perRequest: number, requests: number): Act => ({
    key,
    perRequest,
    requests,
    connections: usualConnections,
    async job(port, count) {
      const authorization = `Bearer ${await clientToken(merchant, { scope: "billing.write" })}`;
      const values = Array.from({ length: count }, () => ({ events: usageEvents(perRequest) }));
      const path = "/billing/usage-events";
      const request = { method: "POST", path, headers: { authorization }, body: { kind: "json", values } } as const;
      return jobOf(request, { port, requests: count, connections: usualConnections, endpoint: "usage" });
    },
  });
  return [act("usage", 1, 3_000), act("usage-batch", batchSize, 100)];
};
