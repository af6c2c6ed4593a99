import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../../kernel/time/clock.ts";
import { agentRedirectUri, probeDetails, probePayment } from "../rules/probes/probe-renewal.ts";
import { createProbeClient, type ProbeClient, type ProbeResponse } from "./probe-client.ts";
import type { ProbeIdentity } from "./probe-identity.ts";
import { createTokenSender, expectBody, type Finding, findingOf, StepFailed, tokenResponse } from "./probe-steps.ts";
import type { Visit } from "./visit.ts";

/** The grant for the journeys of one environment. */
export type JourneyGrant = {
  agentClientId: string;
  merchantClientId: string;
  merchantId: string;
  mandateId: string;
  refreshToken: string;
};

const pushedResponse = z.object({ request_uri: z.string().startsWith("urn:ietf:params:oauth:request_uri:") });

type JourneyContext = { client: ProbeClient; identity: ProbeIdentity; verify: ReturnType<typeof createVerification> };

/** The merchant's part of the journey. */
const createVerification = (client: ProbeClient, { merchant: key }: ProbeIdentity, clock: Clock) => {
  const sendWithToken = createTokenSender({ client, key, clock, scope: "mandates.verify" });
  return ({ merchantClientId, mandateId }: JourneyGrant, signal: AbortSignal): Promise<ProbeResponse> => {
    const body = { mandate_id: mandateId, ...probePayment };
    return sendWithToken(merchantClientId, signal, (token) =>
      client.postJson({ path: "/merchant_test/verify-mandate", token, body, signal }),
    );
  };
};

const runJourney = async (context: JourneyContext, grant: JourneyGrant, signal: AbortSignal): Promise<void> => {
  const { client: http, identity, verify } = context;
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
  expectBody(await verify(grant, signal), { step: "Verification", status: 200, schema: valid });
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
}): ((grant: JourneyGrant) => Promise<Finding>) => {
  const { identity, clock, timeoutMilliseconds = 5_000 } = options;
  const client = createProbeClient(options);
  const context = { client, identity, verify: createVerification(client, identity, clock) };
  return (grant) =>
    findingOf(async () => {
      await runJourney(context, grant, AbortSignal.timeout(timeoutMilliseconds));
      return undefined;
    });
};
