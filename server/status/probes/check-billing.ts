import { z } from "zod";
import type { Clock } from "../../kernel/time/clock.ts";
import { createProbeClient, type ProbeClient } from "./probe-client.ts";
import type { ProbeIdentity } from "./probe-identity.ts";
import { createTokenSender, expectBody, type Finding, findingOf } from "./probe-steps.ts";
import type { JourneyGrant } from "./run-journey.ts";
import type { Visit } from "./visit.ts";

type Options = {
  baseUrl: string;
  identity: ProbeIdentity;
  clock: Clock;
  /** the probe merchant's client; null before it exists */
  findGrant: () => Promise<JourneyGrant | null>;
  ask?: Visit;
  timeoutMilliseconds?: number;
};

const listedPlan = z.object({
  id: z.string(),
  version: z.int(),
  currency: z.string(),
  flat: z.int(),
  minimum: z.int(),
  maximum: z.int().nullable(),
  prices: z.array(z.object({ flat_at_zero: z.boolean().optional() })),
});
const planList = z.object({ data: z.array(listedPlan) });
type ListedPlan = z.infer<typeof listedPlan>;

const unknownPlan = z.object({ type: z.string().endsWith("#plan_not_found") });
const usage = z.object({ from: z.iso.datetime(), to: z.iso.datetime(), meters: z.record(z.string(), z.unknown()) });

/**
 * Uses the billing API as a merchant does: the estimate of a public plan must have the total that follows from the
 * plan's terms, and the probe merchant reads its usage with an access token. The check writes nothing.
 */
export const createBillingCheck = (options: Options): (() => Promise<Finding>) => {
  const { identity, clock, findGrant, timeoutMilliseconds = 5_000 } = options;
  const client = createProbeClient(options);
  const sendWithToken = createTokenSender({ client, key: identity.merchant, clock, scope: "billing.read" });
  return () =>
    findingOf(async () => {
      const signal = AbortSignal.timeout(timeoutMilliseconds);
      const listed = await client.getJson({ path: "/billing/plans?limit=100", token: null, signal });
      if (listed.status === 404) return { outcome: "not_found", detail: "not deployed (HTTP 404)" };
      const { data } = expectBody(listed, { step: "Plans", status: 200, schema: planList });
      await checkEstimate(client, data, signal);
      const grant = await findGrant();
      if (grant === null) return;
      const read = await sendWithToken(grant.merchantClientId, signal, (token) =>
        client.getJson({ path: "/billing/usage", token, signal }),
      );
      expectBody(read, { step: "Usage", status: 200, schema: usage });
      return;
    });
};

/** The total of a plan without usage and tax. */
const totalOf = ({ flat, minimum, maximum }: ListedPlan): number => Math.max(minimum, Math.min(flat, maximum ?? flat));

const checkEstimate = async (client: ProbeClient, plans: readonly ListedPlan[], signal: AbortSignal): Promise<void> => {
  const path = "/billing/estimate";
  const [plan] = plans
    .filter(({ prices }) => prices.every((price) => price.flat_at_zero !== true))
    .sort((one, other) => totalOf(other) - totalOf(one));
  if (!plan) {
    // Without such a plan, an unknown plan is requested and must be refused.
    const body = { plan: "no_such_plan", currency: "EUR", usage: {} };
    const refused = await client.postJson({ path, token: null, body, signal });
    expectBody(refused, { step: "Estimate", status: 404, schema: unknownPlan });
    return;
  }
  const body = { plan: plan.id, version: plan.version, currency: plan.currency, usage: {} };
  const estimated = await client.postJson({ path, token: null, body, signal });
  const schema = z.object({ invoice: z.object({ total: z.literal(totalOf(plan)) }) });
  expectBody(estimated, { step: "Estimate", status: 200, schema });
};
