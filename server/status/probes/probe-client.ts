import { SignJWT } from "jose";
import { newSecret } from "../../kernel/ids.ts";
import { type Clock, epochSeconds } from "../../kernel/time/clock.ts";
import type { ProbeKey } from "./probe-identity.ts";
import { type Visit, type VisitRequest, visit } from "./visit.ts";

/** `body` is null if it isn't JSON. */
export type ProbeResponse = { status: number; body: unknown };

const assertionSeconds = 60;

/** `proofKey` binds the client's tokens (RFC 9449). */
type ClientCredentials = { id: string; key: ProbeKey; proofKey?: ProbeKey };

export type ProbeClient = {
  /** Authenticates by private_key_jwt, with a DPoP proof if there is a `proofKey`. @throws NoResponse. */
  postForm(request: {
    path: string;
    client: ClientCredentials;
    fields: Record<string, string>;
    signal: AbortSignal;
  }): Promise<ProbeResponse>;
  /** Authenticates by an access token; null: without authentication. @throws NoResponse. */
  postJson(request: { path: string; token: string | null; body: object; signal: AbortSignal }): Promise<ProbeResponse>;
  getJson(request: { path: string; token: string | null; signal: AbortSignal }): Promise<ProbeResponse>;
};

/** Makes requests to one authorization server as an ordinary client does. */
export const createProbeClient = (options: { baseUrl: string; clock: Clock; ask?: Visit }): ProbeClient => {
  const { baseUrl, clock, ask = visit } = options;
  let nonce: string | null = null;
  const sign = (key: ProbeKey, header: object, claims: object): Promise<string> =>
    new SignJWT({ ...claims, jti: newSecret(), iat: epochSeconds(clock.now()) })
      .setProtectedHeader({ alg: "ES256", ...header })
      .sign(key.privateKey);
  const signAssertion = (id: string, key: ProbeKey): Promise<string> => {
    const exp = epochSeconds(clock.now()) + assertionSeconds;
    return sign(key, { kid: key.publicJwk["kid"] }, { iss: id, sub: id, aud: baseUrl, exp });
  };
  /** RFC 9449 §4.2. */
  const signProof = (path: string, key: ProbeKey): Promise<string> => {
    const { kty, crv, x, y } = key.publicJwk;
    const claims = { htm: "POST", htu: `${baseUrl}${path}`, ...(nonce === null ? {} : { nonce }) };
    return sign(key, { typ: "dpop+jwt", jwk: { kty, crv, x, y } }, claims);
  };
  const send = async (
    path: string,
    { body, headers, signal }: Pick<Required<VisitRequest>, "body" | "headers" | "signal">,
  ): Promise<ProbeResponse> => {
    const response = await ask(`${baseUrl}${path}`, { method: "POST", body, headers, signal });
    // Any response may contain a nonce for the next proof (RFC 9449 §8.2).
    nonce = response.headers["dpop-nonce"]?.toString() ?? nonce;
    return { status: response.status, body: parse(response.text) };
  };
  return {
    async postForm({ path, client: { id, key, proofKey }, fields, signal }) {
      const form = new URLSearchParams({
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: await signAssertion(id, key),
        ...fields,
      });
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const dpop = proofKey && (await signProof(path, proofKey));
      return send(path, { body: form.toString(), headers: dpop ? { ...headers, dpop } : headers, signal });
    },
    postJson({ path, token, body, signal }) {
      const headers = { "content-type": "application/json", ...bearer(token) };
      return send(path, { body: JSON.stringify(body), headers, signal });
    },
    async getJson({ path, token, signal }) {
      const response = await ask(`${baseUrl}${path}`, { headers: bearer(token), signal });
      return { status: response.status, body: parse(response.text) };
    },
  };
};

const bearer = (token: string | null) => (token === null ? {} : { authorization: `Bearer ${token}` });

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
