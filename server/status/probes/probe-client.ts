import { SignJWT } from "jose";
import { newSecret } from "../../kernel/ids.ts";
import { type Clock, epochSeconds } from "../../kernel/time/clock.ts";
import type { ProbeKey } from "./probe-identity.ts";
import { type Visit, type VisitRequest, visit } from "./visit.ts";

/** `body` is null where it is no JSON. */
export type ProbeResponse = { status: number; body: unknown };

const assertionSeconds = 60;

export type ProbeClient = {
  /** As a client that proves itself by its key, with a proof of `proofKey` where its tokens are bound. @throws NoAnswer. */
  postForm(
    path: string,
    client: { id: string; key: ProbeKey; proofKey?: ProbeKey },
    fields: Record<string, string>,
    signal: AbortSignal,
  ): Promise<ProbeResponse>;
  /** With an access token. @throws NoAnswer. */
  postJson(path: string, token: string, body: object, signal: AbortSignal): Promise<ProbeResponse>;
};

/** What an ordinary client of one authorization server does for each request. */
export const createProbeClient = (options: { baseUrl: string; clock: Clock; ask?: Visit }): ProbeClient => {
  const { baseUrl, clock, ask = visit } = options;
  let nonce: string | null = null;

  const sign = (key: ProbeKey, header: object, claims: object): Promise<string> =>
    new SignJWT({ ...claims, jti: newSecret(), iat: epochSeconds(clock.now()) })
      .setProtectedHeader({ alg: "ES256", ...header })
      .sign(key.privateKey);

  const assert = (id: string, key: ProbeKey): Promise<string> => {
    const exp = epochSeconds(clock.now()) + assertionSeconds;
    return sign(key, { kid: key.publicJwk["kid"] }, { iss: id, sub: id, aud: baseUrl, exp });
  };

  /** RFC 9449 §4.2. */
  const prove = (path: string, key: ProbeKey): Promise<string> => {
    const { kty, crv, x, y } = key.publicJwk;
    const claims = { htm: "POST", htu: `${baseUrl}${path}`, ...(nonce === null ? {} : { nonce }) };
    return sign(key, { typ: "dpop+jwt", jwk: { kty, crv, x, y } }, claims);
  };

  const send = async (
    path: string,
    { body, headers, signal }: Pick<Required<VisitRequest>, "body" | "headers" | "signal">,
  ): Promise<ProbeResponse> => {
    const answer = await ask(`${baseUrl}${path}`, { method: "POST", body, headers, signal });
    // Any answer may bring one, in time for the next proof (RFC 9449 §8.2).
    nonce = answer.headers["dpop-nonce"]?.toString() ?? nonce;
    return { status: answer.status, body: parse(answer.text) };
  };

  return {
    async postForm(path, { id, key, proofKey }, fields, signal) {
      const form = new URLSearchParams({
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: await assert(id, key),
        ...fields,
      });
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const dpop = proofKey && (await prove(path, proofKey));
      return send(path, { body: form.toString(), headers: dpop ? { ...headers, dpop } : headers, signal });
    },
    postJson(path, token, body, signal) {
      const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
      return send(path, { body: JSON.stringify(body), headers, signal });
    },
  };
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
