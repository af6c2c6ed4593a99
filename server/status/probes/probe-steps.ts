import { z } from "zod";
import type { Clock } from "../../kernel/time/clock.ts";
import type { CheckResult } from "../rules/probes/checks.ts";
import type { ProbeClient, ProbeResponse } from "./probe-client.ts";
import type { ProbeKey } from "./probe-identity.ts";
import { NoResponse } from "./visit.ts";

export type Finding = Omit<CheckResult, "check">;

/** A step of a probe had an unexpected answer. The status page shows the message. */
export class StepFailed extends Error {}

const errorResponse = z.object({ error: z.string().regex(/^[a-z_]{1,60}$/) });

type Expectation<T> = { step: string; status: number; schema: z.ZodType<T> };

/** @throws StepFailed naming the step and what was received instead. */
export const expectBody = <T>({ status, body }: ProbeResponse, expected: Expectation<T>): T => {
  const parsed = expected.schema.safeParse(body);
  if (status === expected.status && parsed.success) return parsed.data;
  const problem = status === expected.status ? "unexpected body" : `HTTP ${status}`;
  const error = errorResponse.safeParse(body).data?.error;
  throw new StepFailed(`${expected.step}: ${problem}${error ? ` (${error})` : ""}`);
};

/** Runs the steps of a probe. It passes unless a step fails or has no response. */
export const findingOf = async (steps: () => Promise<Finding | undefined>): Promise<Finding> => {
  try {
    return (await steps()) ?? { outcome: "ok", detail: "passes" };
  } catch (error) {
    if (error instanceof StepFailed) return { outcome: "failed", detail: error.message };
    if (error instanceof NoResponse) return { outcome: "no_response", detail: error.message };
    throw error;
  }
};

/** Tokens aren't used in the last minute before they expire. */
const marginSeconds = 60;

export const tokenResponse = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

type MerchantTokens = { client: ProbeClient; key: ProbeKey; clock: Clock; scope: string };
type SendWith = (token: string) => Promise<ProbeResponse>;

/**
 * Sends requests with the probe merchant's access token, which is reused while it is valid. A refused token may have
 * been signed with a key that is now revoked, so the request is then repeated with a new token, as a merchant would do.
 */
export const createTokenSender = ({ client, key, clock, scope }: MerchantTokens) => {
  let cached: { clientId: string; token: string; until: number } | null = null;
  const getToken = async (id: string, signal: AbortSignal): Promise<string> => {
    const now = clock.now().getTime();
    if (cached?.clientId === id && now < cached.until) return cached.token;
    const fields = { grant_type: "client_credentials", scope };
    const response = await client.postForm({ path: "/oauth/token", client: { id, key }, fields, signal });
    const expected = { step: "Merchant token", status: 200, schema: tokenResponse };
    const { access_token: token, expires_in: seconds } = expectBody(response, expected);
    cached = { clientId: id, token, until: now + (seconds - marginSeconds) * 1000 };
    return token;
  };
  return async (clientId: string, signal: AbortSignal, send: SendWith): Promise<ProbeResponse> => {
    const response = await send(await getToken(clientId, signal));
    if (response.status !== 401) return response;
    cached = null;
    return send(await getToken(clientId, signal));
  };
};
