import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../../kernel/time/clock.ts";
import type { CheckResult } from "../rules/probes/checks.ts";
import { agentRedirectUri, probeDetails, probePayment } from "../rules/probes/probe-renewal.ts";
import { createProbeClient, type ProbeClient, type ProbeResponse } from "./probe-client.ts";
import type { ProbeIdentity } from "./probe-identity.ts";
import { NoResponse, type Visit } from "./visit.ts";

/** The grant for the journeys of one environment. */
export type JourneyGrant = {
  agentClientId: string;
  merchantClientId: string;
  merchantId: string;
  mandateId: string;
  refreshToken: string;
};

/** A token isn't used in its last minute. */
const marginSeconds = 60;

class StepFailed extends Error {}

const pushedResponse = z.object({ request_uri: z.string().startsWith("urn:ietf:params:oauth:request_uri:") });
const tokenResponse = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
const errorResponse = z.object({ error: z.string().regex(/^[a-z_]{1,60}$/) });

type Expectation<T> = { step: string; status: number; schema: z.ZodType<T> };

/** @throws StepFailed naming the step and what was received instead. */
const expectBody = <T>({ status, body }: ProbeResponse, expected: Expectation<T>): T => {
  const parsed = expected.schema.safeParse(body);
  if (status === expected.status && parsed.success) return parsed.data;
  const problem = status === expected.status ? "unexpected body" : `HTTP ${status}`;
  const error = errorResponse.safeParse(body).data?.error;
  throw new StepFailed(`${expected.step}: ${problem}${error ? ` (${error})` : ""}`);
};

type JourneyContext = { client: ProbeClient; identity: ProbeIdentity; merchant: ReturnType<typeof createMerchant> };

/** The merchant's part of the journey. Its token is reused while it is valid. */
const createMerchant = (client: ProbeClient, { merchant: key }: ProbeIdentity, clock: Clock) => {
  let cached: { clientId: string; token: string; until: number } | null = null;
  const getToken = async (id: string, signal: AbortSignal): Promise<string> => {
    const now = clock.now().getTime();
    if (cached?.clientId === id && now < cached.until) return cached.token;
    const fields = { grant_type: "client_credentials" };
    const response = await client.postForm({ path: "/oauth/token", client: { id, key }, fields, signal });
    const expected = { step: "Token of the merchant", status: 200, schema: tokenResponse };
    const { access_token: token, expires_in: seconds } = expectBody(response, expected);
    cached = { clientId: id, token, until: now + (seconds - marginSeconds) * 1000 };
    return token;
  };
  const ask = async ({ merchantClientId, mandateId }: JourneyGrant, signal: AbortSignal): Promise<ProbeResponse> => {
    const token = await getToken(merchantClientId, signal);
    const body = { mandate_id: mandateId, ...probePayment };
    return client.postJson({ path: "/merchant_test/verify-mandate", token, body, signal });
  };
  return {
    async verify(grant: JourneyGrant, signal: AbortSignal): Promise<ProbeResponse> {
      const response = await ask(grant, signal);
      if (response.status !== 401) return response;
      // The key that signed the token may be revoked: get a new token, as a merchant does.
      cached = null;
      return ask(grant, signal);
    },
  };
};

const runJourney = async (context: JourneyContext, grant: JourneyGrant, signal: AbortSignal): Promise<void> => {
  const { client: http, identity, merchant } = context;
  const agent = { id: grant.agentClientId, key: identity.agent };
  const request = {
    response_type: "code",
    redirect_uri: agentRedirectUri,
    code_challenge_method: "S256",
    code_challenge: createHash("sha256").update(randomBytes(32)).digest("base64url"),
    authorization_details: JSON.stringify([probeDetails(grant)]),
  };
  const pushed = await http.postForm({ path: "/oauth/par", client: agent, fields: request, signal });
  expectBody(pushed, { step: "Pushed request", status: 201, schema: pushedResponse });
  const refreshed = await http.postForm({
    path: "/oauth/token",
    client: { ...agent, proofKey: identity.proof },
    fields: { grant_type: "refresh_token", refresh_token: grant.refreshToken },
    signal,
  });
  const { access_token: token } = expectBody(refreshed, { step: "Refresh", status: 200, schema: tokenResponse });
  const introspected = await http.postForm({ path: "/oauth/introspect", client: agent, fields: { token }, signal });
  const active = z.object({ active: z.literal(true), client_id: z.literal(grant.agentClientId) });
  expectBody(introspected, { step: "Introspection", status: 200, schema: active });
  const valid = z.object({ valid: z.literal(true), mandate_id: z.literal(grant.mandateId) });
  expectBody(await merchant.verify(grant, signal), { step: "Verification", status: 200, schema: valid });
  const { status } = await http.postForm({ path: "/oauth/revoke", client: agent, fields: { token }, signal });
  if (status !== 200) throw new StepFailed(`Revocation: HTTP ${status}`);
};

/**
 * The synthetic journey of an agent and a merchant at one authorization server: push a request that expires unused,
 * refresh, introspect the access token, verify the mandate as the merchant, revoke the access token. Nothing else is
 * revoked, and no money moves.
 */
export const createJourney = (options: {
  baseUrl: string;
  identity: ProbeIdentity;
  clock: Clock;
  ask?: Visit;
  timeoutMilliseconds?: number;
}): ((grant: JourneyGrant) => Promise<Omit<CheckResult, "check">>) => {
  const { identity, clock, timeoutMilliseconds = 5_000 } = options;
  const client = createProbeClient(options);
  const context = { client, identity, merchant: createMerchant(client, identity, clock) };
  return async (grant) => {
    try {
      await runJourney(context, grant, AbortSignal.timeout(timeoutMilliseconds));
      return { outcome: "ok", detail: "passes" };
    } catch (error) {
      if (error instanceof StepFailed) return { outcome: "failed", detail: error.message };
      if (error instanceof NoResponse) return { outcome: "no_response", detail: error.message };
      throw error;
    }
  };
};
