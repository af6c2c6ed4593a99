import { importJWK } from "jose";
import { z } from "zod";
import { isPublic } from "../../kernel/crypto/private-members.ts";
import type { CheckResult, ServiceName } from "../rules/probes/checks.ts";
import { NoResponse, type VisitRequest, type VisitResponse, visit } from "./visit.ts";

type Finding = Omit<CheckResult, "check">;
const ok: Finding = { outcome: "ok", detail: "passes" };
const failed = (detail: string): Finding => ({ outcome: "failed", detail });

/** @returns the response, or a finding if there was none. */
const get = (url: string, request: VisitRequest = {}): Promise<VisitResponse | Finding> =>
  visit(url, request).catch((error: unknown) => {
    if (error instanceof NoResponse) return { outcome: "no_response", detail: error.message };
    throw error;
  });

const isAnswer = (found: VisitResponse | Finding): found is VisitResponse => "status" in found;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const readiness = z.object({ checks: z.object({ database: z.boolean(), keys: z.boolean(), migrations: z.boolean() }) });
const metadata = z.looseObject({ issuer: z.url(), jwks_uri: z.url() });
const endpointNames = [
  "authorization_endpoint",
  "token_endpoint",
  "pushed_authorization_request_endpoint",
  "revocation_endpoint",
  "introspection_endpoint",
  "jwks_uri",
] as const;

const checkHealth = async (baseUrl: string): Promise<Finding> => {
  const answer = await get(`${baseUrl}/healthz`);
  return !isAnswer(answer) || answer.status === 200
    ? isAnswer(answer)
      ? ok
      : answer
    : failed(`HTTP ${answer.status}`);
};

/** /readyz reports the database separately. */
const checkReadiness = async (baseUrl: string): Promise<{ readiness: Finding; database: Finding }> => {
  const answer = await get(`${baseUrl}/readyz`);
  if (!isAnswer(answer)) return { readiness: answer, database: answer };
  const parsed = readiness.safeParse(parse(answer.text));
  if (!parsed.success) return { readiness: failed(`HTTP ${answer.status}`), database: failed(`HTTP ${answer.status}`) };
  const { database, keys, migrations } = parsed.data.checks;
  const missing = [keys ? [] : ["keys"], migrations ? [] : ["migrations"]].flat();
  return {
    readiness:
      answer.status === 200 ? ok : failed(missing.length > 0 && database ? `no ${missing.join(", ")}` : "not ready"),
    database: database ? ok : failed("not reachable"),
  };
};

/** RFC 8414 §3.3: the issuer must equal `baseUrl`. The URLs in `endpointNames` must be below it. */
const checkMetadata = async (baseUrl: string): Promise<{ found: Finding; jwksUri: string | null }> => {
  const answer = await get(`${baseUrl}/.well-known/oauth-authorization-server`);
  if (!isAnswer(answer)) return { found: answer, jwksUri: null };
  const parsed = metadata.safeParse(parse(answer.text));
  if (answer.status !== 200 || !parsed.success)
    return { found: failed(`HTTP ${answer.status}, or no metadata`), jwksUri: null };
  const { data } = parsed;
  if (data.issuer !== baseUrl) return { found: failed("unexpected issuer"), jwksUri: null };
  const foreign = endpointNames.filter((name) => !String(data[name]).startsWith(`${baseUrl}/`));
  return {
    found: foreign.length > 0 ? failed(`outside the issuer: ${foreign.join(", ")}`) : ok,
    jwksUri: data.jwks_uri,
  };
};

const keySet = z.object({ keys: z.array(z.looseObject({ kid: z.string().min(1), alg: z.string().min(1) })).min(1) });

/** Checks that all keys are public and can be imported (RFC 7517). */
const checkKeys = async (jwksUri: string | null): Promise<Finding> => {
  if (jwksUri === null) return { outcome: "no_response", detail: "no jwks_uri in the metadata" };
  const answer = await get(jwksUri);
  if (!isAnswer(answer)) return answer;
  const parsed = keySet.safeParse(parse(answer.text));
  if (answer.status !== 200 || !parsed.success) return failed(`HTTP ${answer.status}, or no key set`);
  for (const key of parsed.data.keys) {
    if (!isPublic(key)) return failed("a key isn't public");
    const imported = await importJWK(key).catch(() => null);
    if (imported === null) return failed("a key can't be imported");
  }
  return ok;
};

/** Health, readiness, database, metadata and keys of one service. */
export const checkService = async (name: ServiceName, baseUrl: string): Promise<CheckResult[]> => {
  const [health, ready, metadataFinding] = await Promise.all([
    checkHealth(baseUrl),
    checkReadiness(baseUrl),
    checkMetadata(baseUrl),
  ]);
  const keys = await checkKeys(metadataFinding.jwksUri);
  return [
    { check: `${name}.health`, ...health },
    { check: `${name}.readiness`, ...ready.readiness },
    { check: `${name}.database`, ...ready.database },
    { check: `${name}.metadata`, ...metadataFinding.found },
    { check: `${name}.keys`, ...keys },
  ];
};

/**
 * Checks that a page has status 200 and our title.
 * @param cookie a session cookie; the page needs the database to check the session.
 */
export const checkPage = async (url: string, cookie: string): Promise<Finding> => {
  const answer = await get(url, { headers: { cookie } });
  if (!isAnswer(answer)) return answer;
  if (answer.status !== 200) return failed(`HTTP ${answer.status}`);
  return /<title>[^<]*Paygrant[^<]*<\/title>/.test(answer.text) ? ok : failed("the page has no title");
};

/** Checks a component that might not be deployed. */
export const checkDeployed = async (url: string): Promise<Finding> => {
  const answer = await get(url);
  if (!isAnswer(answer)) return answer;
  if (answer.status === 404) return { outcome: "not_found", detail: "not deployed (HTTP 404)" };
  // A refusal, such as HTTP 401, shows that the component works.
  return answer.status < 500 ? ok : failed(`HTTP ${answer.status}`);
};
