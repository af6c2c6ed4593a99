import { createHash, randomBytes } from "node:crypto";
import { SignJWT } from "jose";
import { z } from "zod";
import { type Clock, epochSeconds } from "../../kernel/clock.ts";
import { newSecret } from "../../kernel/ids.ts";
import type { CheckResult } from "../rules/checks.ts";
import { agentRedirectUri, probeDetails, probePayment } from "../rules/probe-standing.ts";
import type { ProbeIdentity, ProbeKey } from "./probe-identity.ts";

/** What was granted for the trials of one environment. */
export type Trip = {
  agentClientId: string;
  merchantClientId: string;
  merchantId: string;
  mandateId: string;
  refreshToken: string;
};

type Found = Omit<CheckResult, "check">;
type Answer = { status: number; body: unknown; headers: Headers };

/** For all steps together: a run of the probes takes no longer than 15 s. */
const timeoutMilliseconds = 8_000;
const assertionSeconds = 60;
/** A token that is about to end is not used any more. */
const marginSeconds = 60;

class StepFailed extends Error {}
class NotHeard extends Error {}

const pushed = z.object({ request_uri: z.string().startsWith("urn:ietf:params:oauth:request_uri:") });
const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
const failure = z.object({ error: z.string().regex(/^[a-z_]{1,60}$/) });

/**
 * A client's and a merchant's whole way at one authorization server: a request is pushed and left to lapse, the refresh
 * token gives an access token, which is introspected and, once the merchant has verified the mandate, revoked. Nothing else
 * ends, and no money moves.
 */
export const createTrips = (options: {
  baseUrl: string;
  identity: ProbeIdentity;
  clock: Clock;
  ask?: typeof fetch;
}): ((trip: Trip) => Promise<Found>) => {
  const { baseUrl, identity, clock, ask = fetch } = options;
  let nonce: string | null = null;
  let merchantToken: { of: string; token: string; until: number } | null = null;

  const sign = (key: ProbeKey, header: object, claims: object): Promise<string> =>
    new SignJWT({ ...claims, jti: newSecret(), iat: epochSeconds(clock.now()) })
      .setProtectedHeader({ alg: "ES256", ...header })
      .sign(key.privateKey);

  const assert = (clientId: string, key: ProbeKey): Promise<string> => {
    const exp = epochSeconds(clock.now()) + assertionSeconds;
    return sign(key, { kid: key.publicJwk["kid"] }, { iss: clientId, sub: clientId, aud: baseUrl, exp });
  };

  const prove = (path: string): Promise<string> => {
    const { kty, crv, x, y } = identity.proof.publicJwk;
    const claims = { htm: "POST", htu: `${baseUrl}${path}`, ...(nonce === null ? {} : { nonce }) };
    return sign(identity.proof, { typ: "dpop+jwt", jwk: { kty, crv, x, y } }, claims);
  };

  const send = async (path: string, body: BodyInit, headers: Record<string, string>, signal: AbortSignal) => {
    try {
      const response = await ask(`${baseUrl}${path}`, { method: "POST", body, headers, signal, redirect: "manual" });
      return { status: response.status, headers: response.headers, body: parse(await response.text()) };
    } catch (error) {
      const isLate = error instanceof Error && error.name === "TimeoutError";
      throw new NotHeard(isLate ? `not done within ${timeoutMilliseconds / 1000} s` : "no answer");
    }
  };

  /** As a client that proves itself, and its key where its tokens are bound. */
  const post = async (
    path: string,
    client: { id: string; key: ProbeKey; isBound?: boolean },
    fields: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Answer> => {
    const form = new URLSearchParams({
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: await assert(client.id, client.key),
      ...fields,
    });
    const answer = await send(path, form, client.isBound ? { dpop: await prove(path) } : {}, signal);
    // The pushed request's answer tells one, in time for the refresh (RFC 9449 §8.2).
    nonce = answer.headers.get("dpop-nonce") ?? nonce;
    return answer;
  };

  const getMerchantToken = async ({ merchantClientId }: Trip, signal: AbortSignal): Promise<string> => {
    const now = clock.now().getTime();
    if (merchantToken?.of === merchantClientId && now < merchantToken.until) return merchantToken.token;
    const answer = await post(
      "/oauth/token",
      { id: merchantClientId, key: identity.merchant },
      { grant_type: "client_credentials" },
      signal,
    );
    const { access_token: token, expires_in: seconds } = expectBody("Token of the merchant", answer, 200, tokenAnswer);
    merchantToken = { of: merchantClientId, token, until: now + (seconds - marginSeconds) * 1000 };
    return token;
  };

  const verify = async (trip: Trip, signal: AbortSignal): Promise<Answer> => {
    const body = JSON.stringify({ mandate_id: trip.mandateId, ...probePayment });
    const headers = {
      "content-type": "application/json",
      authorization: `Bearer ${await getMerchantToken(trip, signal)}`,
    };
    return send("/merchant_test/verify-mandate", body, headers, signal);
  };

  const travel = async (trip: Trip, signal: AbortSignal): Promise<void> => {
    const agent = { id: trip.agentClientId, key: identity.agent };
    const asked = {
      ...{ response_type: "code", redirect_uri: agentRedirectUri, code_challenge_method: "S256" },
      code_challenge: createHash("sha256").update(randomBytes(32)).digest("base64url"),
      authorization_details: JSON.stringify([probeDetails(trip)]),
    };
    expectBody("Pushed request", await post("/oauth/par", agent, asked, signal), 201, pushed);
    const refresh = { grant_type: "refresh_token", refresh_token: trip.refreshToken };
    const refreshed = await post("/oauth/token", { ...agent, isBound: true }, refresh, signal);
    const { access_token: token } = expectBody("Refresh", refreshed, 200, tokenAnswer);
    const live = z.object({ active: z.literal(true), client_id: z.literal(trip.agentClientId) });
    expectBody("Introspection", await post("/oauth/introspect", agent, { token }, signal), 200, live);
    let verdict = await verify(trip, signal);
    if (verdict.status === 401) {
      // What signed it may have been taken back: a merchant gets a new one.
      merchantToken = null;
      verdict = await verify(trip, signal);
    }
    const allowed = z.object({ valid: z.literal(true), mandate_id: z.literal(trip.mandateId) });
    expectBody("Verification", verdict, 200, allowed);
    const { status } = await post("/oauth/revoke", agent, { token }, signal);
    if (status !== 200) throw new StepFailed(`Revocation: HTTP ${status}`);
  };

  return async (trip) => {
    try {
      await travel(trip, AbortSignal.timeout(timeoutMilliseconds));
      return { outcome: "ok", detail: "passes" };
    } catch (error) {
      if (error instanceof StepFailed) return { outcome: "failed", detail: error.message };
      if (error instanceof NotHeard) return { outcome: "silent", detail: error.message };
      throw error;
    }
  };
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** @throws StepFailed naming the step and what came instead. */
const expectBody = <T>(step: string, { status, body }: Answer, expected: number, schema: z.ZodType<T>): T => {
  const told = schema.safeParse(body);
  if (status === expected && told.success) return told.data;
  const refusal = failure.safeParse(body).data?.error;
  throw new StepFailed(
    `${step}: ${status === expected ? "not what was to come" : `HTTP ${status}`}${refusal ? ` (${refusal})` : ""}`,
  );
};
