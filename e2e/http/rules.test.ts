import { beforeAll, describe, expect, test } from "vitest";
import type { Rule } from "#server/kernel/rule.ts";
import {
  assertionClaimsCases,
  assertionHeaderCases,
  presentedCases,
} from "#server/oauth/rules/breaches/client-assertion.fixture.ts";
import { expectOAuthError } from "../support/answers/error-shape.ts";
import { listOperations } from "../support/answers/openapi-operations.ts";
import { type Answer, formType, postForm, send as sendRaw } from "../support/answers/wire.ts";
import { currentInstance } from "../support/instance.ts";
import { assertionType, signAssertion } from "../support/oauth/oauth-client.ts";
import { type Party, registerMerchant } from "../support/oauth/parties.ts";

/** Every operation with private_key_jwt must refuse a request that violates any of the rules. */
const paths = ["/oauth/par", "/oauth/token", "/oauth/revoke", "/oauth/introspect"];
const { sandboxUrl: baseUrl } = currentInstance();
let client: Party;

beforeAll(async () => {
  client = await registerMerchant(baseUrl, { metadata: { token_endpoint_auth_signing_alg: "ES256" } });
});

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** No signature is needed, because header and claims are checked first. */
const forge = (header: object, claims: object): string => `${encode(header)}.${encode(claims)}.AAAA`;

const { now: then } = assertionClaimsCases.valid;

/** The claims of a case, completed for this client, server and time. */
const here = (claims: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const shift = Math.floor(Date.now() / 1000) - then;
  const values: Readonly<Record<string, string>> = { cl_test_a: client.id, "https://as.example": baseUrl };
  const move = (value: unknown): unknown => {
    if (typeof value === "number") return value + shift;
    if (Array.isArray(value)) return value.map(move);
    return typeof value === "string" ? (values[value] ?? value) : value;
  };
  return Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, move(value)]));
};

const send = (
  path: string,
  fields: Record<string, string>,
  { headers = {}, query = "" }: { headers?: Record<string, string>; query?: string } = {},
) => postForm(`${baseUrl}${path}${query}`, { client_assertion_type: assertionType, ...fields }, headers);

const expectBroken = (answer: Answer, rule: Rule<never>): void => {
  expectOAuthError(answer, 401, rule.error);
  // A response may end with "; expected …" and a value that depends on the server's configuration.
  expect(String(answer.json?.["error_description"]).split("; expected ")[0]).toBe(rule.problem);
};

const table = <Subject>({ rules }: { rules: readonly Rule<Subject>[] }) =>
  paths.flatMap((path) => rules.map((rule) => [path, `${rule.name} (${rule.source})`, rule] as const));

test("lists all operations whose callers authenticate by private_key_jwt", async () => {
  const operations = (await listOperations(baseUrl)).filter(({ security }) => security === "privateKeyJwt");
  expect(operations.map(({ path }) => path).sort()).toEqual([...paths].sort());
});

describe("client assertion, header", () => {
  test.each(table(assertionHeaderCases.group))("%s refuses a breach of %s", async (path, _, rule) => {
    const header = assertionHeaderCases.breaches[rule.name]?.header ?? {};
    const answer = await send(path, { client_assertion: forge(header, here(assertionClaimsCases.valid.claims)) });
    expectBroken(answer, rule);
  });
});

describe("client assertion, claims", () => {
  test.each(table(assertionClaimsCases.group))("%s refuses a breach of %s", async (path, _, rule) => {
    const claims = here(assertionClaimsCases.breaches[rule.name]?.claims ?? {});
    expectBroken(await send(path, { client_assertion: forge(assertionHeaderCases.valid.header, claims) }), rule);
  });
});

describe("client authentication", () => {
  test.each(table(presentedCases.group))("%s refuses a breach of %s", async (path, _, rule) => {
    const { authorization, form, jws } = presentedCases.breaches[rule.name] ?? presentedCases.valid;
    const valid = { client_assertion: await signAssertion(client, baseUrl) };
    const fields = { ...(form as Record<string, string>), ...(jws ? valid : {}) };
    const answer = await send(path, fields, { headers: authorization ? { authorization } : {} });
    expectBroken(answer, rule);
    expect(answer.headers.get("www-authenticate")).toBe(authorization ? `Basic realm="${baseUrl}"` : null);
  });
});

describe("form and query", () => {
  test.each(paths)("%s refuses repeated parameters, and credentials in the query", async (path) => {
    const client_assertion = await signAssertion(client, baseUrl);
    const body = `${new URLSearchParams({ client_assertion })}&scope=a&scope=a`;
    const twice = await sendRaw(`${baseUrl}${path}`, { method: "POST", headers: { "content-type": formType }, body });
    expectOAuthError(twice, 400, "invalid_request");
    const inQuery = await send(path, { client_assertion }, { query: `?client_assertion=${client_assertion}` });
    expectOAuthError(inQuery, 401, "invalid_client");
    expectOAuthError(await send(path, { client_assertion }, { query: "?access_token=a" }), 400, "invalid_request");
  });
});
