import { type Cases, casesOf } from "../../../kernel/rule-cases.fixture.ts";
import { pushedRequestRules, pushingClientRules, replacedGrantRules } from "../requests/authorization-request.ts";
import { detailsRules } from "../requests/pushed-details.ts";
import { scopeFormRules, scopeRequestRules } from "../scopes.ts";

export const pushingClientCases = casesOf(
  pushingClientRules,
  { kind: "agent", grantTypes: ["authorization_code"], detailsTypes: ["payment_mandate_v1"] },
  { "client-may-push": { kind: "merchant" }, "client-uses-details-type": { detailsTypes: [] } },
);

const form: Readonly<Record<string, string>> = {
  client_id: "cl_test_a",
  redirect_uri: "https://app.example/callback",
  response_type: "code",
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  code_challenge_method: "S256",
};
const without = (name: string) => Object.fromEntries(Object.entries(form).filter(([other]) => other !== name));

export const pushedRequestCases = casesOf(
  pushedRequestRules,
  { form, client: { id: "cl_test_a", redirectUris: ["https://app.example/callback"] } },
  {
    "no-request-uri": { form: { ...form, request_uri: "urn:x" } },
    "no-request-object": { form: { ...form, request: "e30.e30." } },
    "client-id-authenticated": { form: { ...form, client_id: "cl_test_b" } },
    "redirect-uri-sent": { form: without("redirect_uri") },
    "redirect-uri-registered": { form: { ...form, redirect_uri: "https://app.example/callback/" } },
    "response-type-sent": { form: without("response_type") },
    "response-type-code": { form: { ...form, response_type: "token" } },
    "response-mode-query": { form: { ...form, response_mode: "fragment" } },
    "prompt-not-none": { form: { ...form, prompt: "login none" } },
    "code-challenge-sent": { form: without("code_challenge") },
    "code-challenge-s256": { form: { ...form, code_challenge_method: "plain" } },
    "code-challenge-form": { form: { ...form, code_challenge: "a".repeat(42) } },
    "state-length": { form: { ...form, state: "s".repeat(4097) } },
    "max-age-form": { form: { ...form, max_age: "-1" } },
    "acr-values-known": { form: { ...form, acr_values: "urn:example:gold" } },
    "dpop-jkt-form": { form: { ...form, dpop_jkt: "a".repeat(42) } },
    "grant-action-known": { form: { ...form, grant_management_action: "merge" } },
    "grant-id-for-replace": { form: { ...form, grant_id: "grt_a" } },
    "replace-names-grant": { form: { ...form, grant_management_action: "replace" } },
  },
);

export const replacedGrantCases = casesOf(
  replacedGrantRules,
  { isOwnAndLive: true },
  { "grant-replaceable": { isOwnAndLive: false } },
);

export const pushedDetailsCases = casesOf(
  detailsRules,
  { text: "[{}]", value: [{}] as unknown },
  {
    "details-sent": { text: undefined, value: undefined },
    "details-size": { text: " ".repeat(16 * 1024 + 1) },
    "details-json": { text: "[", value: undefined },
    "details-text": { text: String.raw`[{"type":"\u0000"}]`, value: [{ type: "\0" }] },
    "details-once": { text: '[{"type":"a","type":"b"}]', value: [{ type: "b" }] },
    "details-array": { text: '{"type":"payment_mandate_v1"}', value: { type: "payment_mandate_v1" } },
    "details-not-empty": { text: "[]", value: [] },
  },
);

export const scopeFormCases: Cases<string | undefined> = {
  group: scopeFormRules,
  valid: "charges.read charges.write",
  breaches: { "scope-form": "charges.read  charges.write" },
};

export const scopeRequestCases = casesOf(
  scopeRequestRules,
  {
    scopes: ["charges.read"],
    registered: ["charges.read", "grant_management_query"],
    kind: "merchant",
    grantType: "client_credentials",
    requestedResources: ["https://as.example/merchant_test"],
    resources: ["merchant_test"],
    urls: { baseUrl: "https://as.example", discoveryUrl: "https://as.example/directory" },
  },
  {
    "scope-any": { scopes: [], grantType: "client_credentials" },
    "scope-known": { scopes: ["charges.delete"] },
    "scope-registered": { scopes: ["charges.write"] },
    "scope-of-kind": { scopes: ["grant_management_query"] },
    "scope-of-grant-type": { grantType: "authorization_code" },
    "scopes-of-one-resource": { resources: ["merchant_test", "authorization_server"] },
    "resource-of-scopes": { requestedResources: ["https://as.example"] },
  },
);
