import { casesOf } from "../../../kernel/rule-cases.fixture.ts";
import { metadataMemberRules, type Raw, type SentMetadata } from "../clients/metadata-members.ts";
import { readableMetadataRules } from "../clients/readable-metadata.ts";
import { readRedirectUri, redirectUriRules } from "../clients/redirect-uri.ts";
import {
  metadataBodyRules,
  type RegistrationBounds,
  registrationRules,
  serverMemberRules,
} from "../clients/registration-rules.ts";

export const metadataBodyCases = casesOf(
  metadataBodyRules,
  { body: {} as unknown },
  { "metadata-object": { body: [] } },
);

const own = { client_id: "cl_test_a", client_id_issued_at: 1 };

export const serverMemberCases = casesOf(
  serverMemberRules,
  { raw: { ...own } as Raw, own },
  Object.fromEntries(
    serverMemberRules.rules.map(({ name, names }) => [name, { raw: { ...own, [String(names)]: "another" } }]),
  ),
);

/** For each member, an invalid value. */
const malformed: Readonly<Record<string, unknown>> = {
  client_secret: "s",
  client_secret_expires_at: 0,
  token_endpoint_auth_method: "none",
  token_endpoint_auth_signing_alg: "RS256",
  grant_types: [],
  response_types: ["token"],
  redirect_uris: "https://a.example/cb",
  scope: 'a"',
  contacts: [1],
  software_id: "",
  software_version: "v".repeat(201),
  jwks_uri: 1,
  dpop_bound_access_tokens: "true",
  authorization_details_types: ["openid_credential"],
  introspection_signed_response_alg: "none",
  introspection_encrypted_response_alg: "ECDH-ES",
  introspection_encrypted_response_enc: "A256GCM",
  webhook_uri: "h".repeat(2001),
  webhook_secret_rotation: 1,
};

export const metadataMemberCases = casesOf<Raw>(
  metadataMemberRules,
  {
    token_endpoint_auth_method: "private_key_jwt",
    token_endpoint_auth_signing_alg: "ES256",
    grant_types: ["client_credentials"],
    response_types: [],
    scope: "",
    contacts: ["ops@a.example"],
    dpop_bound_access_tokens: false,
    unheard_of: 1,
  },
  Object.fromEntries(
    Object.entries(malformed).map(([member, value]) => [
      `metadata-${member.replaceAll("_", "-")}`,
      { [member]: value },
    ]),
  ),
);

const bounds: RegistrationBounds = {
  kind: null,
  allowedScopes: null,
  mayChooseBearer: false,
  allowsLocalhost: false,
  dpopBound: false,
};
const agent: SentMetadata = { redirect_uris: ["https://a.example/cb"] };
const merchant: SentMetadata = { grant_types: ["client_credentials"], scope: "charges.write" };

export const registrationCases = casesOf(
  registrationRules,
  { sent: agent, bounds },
  {
    "refresh-token-needs-code": { sent: { grant_types: ["refresh_token"] } },
    "token-exchange-needs-code": { sent: { grant_types: ["urn:ietf:params:oauth:grant-type:token-exchange"] } },
    "merchant-grant-types": { bounds: { ...bounds, kind: "merchant" } },
    "client-of-one-kind": { sent: { ...agent, scope: "charges.write" } },
    "client-scopes-possible": { sent: merchant, bounds: { ...bounds, allowedScopes: ["charges.read"] } },
    "redirect-uris-count": { sent: { redirect_uris: [] } },
    "response-types-of-agents": { sent: { ...merchant, response_types: ["code"] } },
    "one-key-source": { sent: { ...agent, jwks: { keys: [] }, jwks_uri: "https://a.example/jwks" } },
    "dpop-bound-stays": {
      sent: { ...merchant, dpop_bound_access_tokens: false },
      bounds: { ...bounds, dpopBound: true },
    },
    "dpop-bound-agents": { sent: { ...agent, dpop_bound_access_tokens: false } },
    "webhook-uri-of-agents": { sent: { ...merchant, webhook_uri: "https://a.example/events" } },
    "webhook-secret-of-endpoint": { sent: { ...agent, webhook_secret_rotation: true } },
  },
);

export const redirectUriCases = casesOf(redirectUriRules, readRedirectUri("https://a.example/cb?a=b"), {
  "redirect-uri-length": readRedirectUri(`https://a.example/${"a".repeat(2000)}`),
  "redirect-uri-absolute": readRedirectUri("/cb"),
  "redirect-uri-no-fragment": readRedirectUri("https://a.example/cb#"),
  "redirect-uri-no-credentials": readRedirectUri("https://me@a.example/cb"),
  "redirect-uri-no-response": readRedirectUri("https://a.example/cb?code=a"),
  "redirect-uri-scheme": readRedirectUri("http://localhost/cb"),
  "redirect-uri-scheme-in-sandbox": readRedirectUri("http://app.localhost/cb", true),
  "redirect-uri-host": readRedirectUri("https://a;b.example/cb"),
});

export const readableMetadataCases = casesOf(
  readableMetadataRules,
  {
    member: "client_name#de",
    name: "client_name",
    tag: "de" as string | undefined,
    value: "Einkaufshelfer" as unknown,
    seen: new Set<string>(["client_name#fr"]) as ReadonlySet<string>,
  },
  {
    "metadata-language-tag": { member: "client_name#d e", tag: "d e" },
    "metadata-language-once": { member: "client_name#DE", tag: "DE", seen: new Set(["client_name#de"]) },
    "metadata-languages": { seen: new Set(Array.from({ length: 100 }, (_, index) => `client_name#x${index}`)) },
    "metadata-client-name": { value: "n".repeat(201) },
    "metadata-client-name-plain": { value: "Bank\u202eknab" },
    "metadata-client-name-seen": { value: "\u3164 \u2800" },
    "metadata-web-address": { member: "logo_uri", name: "logo_uri", tag: undefined, value: "http://a.example" },
  },
);
