import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../../kernel/time/clock.ts";
import type { CheckResult } from "../rules/probes/checks.ts";
import { agentRedirectUri, probeDetails, probePayment } from "../rules/probes/probe-renewal.ts";
import { createProbeClient, type ProbeClient, type ProbeResponse } from "./probe-client.ts";
import type { ProbeIdentity } from "./probe-identity.ts";
import { NoResponse, type Visit } from "./visit.ts";

/** What was granted for the trials of one environment. */
export type JourneyGrant = {
  agentClientId: string;
  merchantClientId: string;
  merchantId: string;
  mandateId: string;
  refreshToken: string;
};

/** A token that is about to end is not used any more. */
const marginSeconds = 60;

class StepFailed extends Error {}

const pushedResponse = z.object({ request_uri: z.string().startsWith("urn:ietf:params:oauth:request_uri:") });
const tokenResponse = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
const errorResponse = z.object({ error: z.string().regex(/^[a-z_]{1,60}$/) });

/** @throws StepFailed naming the step and what came instead. */
const expectBody = <T>(step: string, { status, body }: ProbeResponse, expected: number, schema: z.ZodType<T>): T => {
  const told = schema.safeParse(body);
  if (status === expected && told.success) return told.data;
  const refusal = errorResponse.safeParse(body).data?.error;
  throw new StepFailed(
    `${step}: ${status === expected ? "not what was to come" : `HTTP ${status}`}${refusal ? ` (${refusal})` : ""}`,
  );
};

type JourneyContext = { client: ProbeClient; identity: ProbeIdentity; merchant: ReturnType<typeof createMerchant> };

/** The merchant's part; its token is kept for as long as it lives. */
const createMerchant = (client: ProbeClient, { merchant: key }: ProbeIdentity, clock: Clock) => {
  let kept: { of: string; token: string; until: number } | null = null;
  const getToken = async (id: string, signal: AbortSignal): Promise<string> => {
    const now = clock.now().getTime();
    if (kept?.of === id && now < kept.until) return kept.token;
    const answer = await client.postForm("/oauth/token", { id, key }, { grant_type: "client_credentials" }, signal);
    const { access_token: token, expires_in: seconds } = expectBody(
      "Token of the merchant",
      answer,
      200,
      tokenResponse,
    );
    kept = { of: id, token, until: now + (seconds - marginSeconds) * 1000 };
    return token;
  };
  const ask = async ({ merchantClientId, mandateId }: JourneyGrant, signal: AbortSignal): Promise<ProbeResponse> => {
    const token = await getToken(merchantClientId, signal);
    return client.postJson("/merchant_test/verify-mandate", token, { mandate_id: mandateId, ...probePayment }, signal);
  };
  return {
    async verify(trip: JourneyGrant, signal: AbortSignal): Promise<ProbeResponse> {
      const answer = await ask(trip, signal);
      if (answer.status !== 401) return answer;
      // What signed its token may have been taken back: a merchant gets a new one.
      kept = null;
      return ask(trip, signal);
    },
  };
};

const runJourney = async (
  { client, identity, merchant }: JourneyContext,
  trip: JourneyGrant,
  signal: AbortSignal,
): Promise<void> => {
  const agent = { id: trip.agentClientId, key: identity.agent };
  const asked = {
    response_type: "code",
    redirect_uri: agentRedirectUri,
    code_challenge_method: "S256",
    code_challenge: createHash("sha256").update(randomBytes(32)).digest("base64url"),
    authorization_details: JSON.stringify([probeDetails(trip)]),
  };
  expectBody("Pushed request", await client.postForm("/oauth/par", agent, asked, signal), 201, pushedResponse);
  const refresh = { grant_type: "refresh_token", refresh_token: trip.refreshToken };
  const refreshed = await client.postForm("/oauth/token", { ...agent, proofKey: identity.proof }, refresh, signal);
  const { access_token: token } = expectBody("Refresh", refreshed, 200, tokenResponse);
  const live = z.object({ active: z.literal(true), client_id: z.literal(trip.agentClientId) });
  expectBody("Introspection", await client.postForm("/oauth/introspect", agent, { token }, signal), 200, live);
  const allowed = z.object({ valid: z.literal(true), mandate_id: z.literal(trip.mandateId) });
  expectBody("Verification", await merchant.verify(trip, signal), 200, allowed);
  const { status } = await client.postForm("/oauth/revoke", agent, { token }, signal);
  if (status !== 200) throw new StepFailed(`Revocation: HTTP ${status}`);
};

/**
 * A client's and a merchant's whole way at one authorization server: a request is pushed and left to lapse, the refresh
 * token gives an access token, which is introspected and, once the merchant has verified the mandate, revoked. Nothing else
 * ends, and no money moves.
 */
export const createJourney = (options: {
  baseUrl: string;
  identity: ProbeIdentity;
  clock: Clock;
  ask?: Visit;
  timeoutMilliseconds?: number;
}): ((trip: JourneyGrant) => Promise<Omit<CheckResult, "check">>) => {
  const { identity, clock, timeoutMilliseconds = 5_000 } = options;
  const client = createProbeClient(options);
  const traveller = { client, identity, merchant: createMerchant(client, identity, clock) };
  return async (trip) => {
    try {
      await runJourney(traveller, trip, AbortSignal.timeout(timeoutMilliseconds));
      return { outcome: "ok", detail: "passes" };
    } catch (error) {
      if (error instanceof StepFailed) return { outcome: "failed", detail: error.message };
      if (error instanceof NoResponse) return { outcome: "silent", detail: error.message };
      throw error;
    }
  };
};
