import { isSha256Base64url } from "../../../kernel/crypto/hash.ts";
import { checkRules, defineRules } from "../../../kernel/rule.ts";
import { redirectUriMatches } from "../clients/redirect-uri.ts";
import { acrValues } from "../tokens/tokens.ts";
import { readDetails } from "./pushed-details.ts";

/** The checked request. authorization_details and scopes have their own rules. */
export type PushedParameters = {
  redirectUri: string;
  codeChallenge: string;
  state: string | null;
  dpopJkt: string | null;
  maxAgeSeconds: number | null;
  /** supported values in the client's order; empty: any */
  acrValues: string[];
  /** the grant to replace; null: a new one */
  replacesGrantId: string | null;
  scope: string | undefined;
  resources: readonly string[];
  authorizationDetails: unknown;
};

type Form = Readonly<Record<string, string | readonly string[]>>;
type PushingClient = { id: string; redirectUris: readonly string[] };

const one = (form: Form, name: string): string | undefined => {
  const value = form[name];
  return typeof value === "string" ? value : undefined;
};

const has = (form: Form, name: string): boolean => one(form, name) !== undefined;

const listed = (text: string | undefined): string[] => (text ?? "").split(" ").filter((value) => value !== "");

const supportedAcrValues = (form: Form): string[] =>
  listed(one(form, "acr_values")).filter((value) => acrValues.some((known) => known === value));

const shared = { places: ["pushAuthorizationRequest"], error: "invalid_request" } as const;

/** RFC 9396 §10. A client without registered types may use all types. */
export const usesMandates = ({ detailsTypes }: { detailsTypes: readonly string[] | null }): boolean =>
  detailsTypes === null || detailsTypes.includes("payment_mandate_v1");

type Registered = { kind: string; grantTypes: readonly string[]; detailsTypes: readonly string[] | null };

export const pushingClientRules = defineRules<Registered>(
  "pushed request, client",
  { ...shared, error: "unauthorized_client" },
  [
    {
      name: "client-may-push",
      source: "docs/spec/oauth.md, Clients, scopes and resources",
      problem: "the client is not registered to request mandates",
      holds: ({ kind, grantTypes }) => kind === "agent" && grantTypes.includes("authorization_code"),
    },
    {
      name: "client-uses-details-type",
      source: "RFC 9396 §10",
      error: "invalid_authorization_details",
      problem: "the client's authorization_details_types don't include payment_mandate_v1",
      holds: usesMandates,
    },
  ],
);

export const pushedRequestRules = defineRules<{ form: Form; client: PushingClient }>("pushed request", shared, [
  {
    name: "no-request-uri",
    source: "RFC 9126 §2.1",
    problem: "request_uri is not allowed in a pushed request",
    holds: ({ form }) => !has(form, "request_uri"),
  },
  {
    name: "no-request-object",
    source: "OpenID Connect Core §3.1.2.6",
    error: "request_not_supported",
    problem: "request objects are not supported",
    holds: ({ form }) => !has(form, "request"),
  },
  {
    name: "client-id-authenticated",
    source: "RFC 9126 §2.1",
    problem: "client_id is not the authenticated client",
    holds: ({ form, client }) => !has(form, "client_id") || one(form, "client_id") === client.id,
  },
  {
    name: "redirect-uri-sent",
    source: "FAPI 2.0 §5.3.2.2",
    problem: "redirect_uri is missing",
    holds: ({ form }) => has(form, "redirect_uri"),
  },
  {
    name: "redirect-uri-registered",
    source: "RFC 9700 §4.1.3",
    problem: "redirect_uri is not registered",
    holds: ({ form, client }) => redirectUriMatches(client.redirectUris, one(form, "redirect_uri") ?? ""),
  },
  {
    name: "response-type-sent",
    source: "RFC 6749 §4.1.1",
    problem: "response_type is missing",
    holds: ({ form }) => has(form, "response_type"),
  },
  {
    name: "response-type-code",
    source: "FAPI 2.0 §5.3.2.2",
    error: "unsupported_response_type",
    problem: "response_type must be code",
    holds: ({ form }) => one(form, "response_type") === "code",
  },
  {
    name: "response-mode-query",
    source: "docs/spec/oauth.md, Forms and query parameters",
    problem: "response_mode must be query",
    holds: ({ form }) => (one(form, "response_mode") ?? "query") === "query",
  },
  {
    // Every request displays the consent page, so `prompt=none` can't succeed.
    name: "prompt-not-none",
    source: "docs/spec/oauth.md, Authorization endpoint",
    problem: "prompt none is not supported",
    holds: ({ form }) => !listed(one(form, "prompt")).includes("none"),
  },
  {
    name: "code-challenge-sent",
    source: "RFC 7636 §4.4.1",
    problem: "code_challenge is missing",
    holds: ({ form }) => has(form, "code_challenge"),
  },
  {
    name: "code-challenge-s256",
    source: "FAPI 2.0 §5.3.2.2",
    problem: "code_challenge_method must be S256",
    holds: ({ form }) => one(form, "code_challenge_method") === "S256",
  },
  {
    name: "code-challenge-form",
    source: "RFC 7636 §4.2",
    problem: "code_challenge must be 43 characters of base64url (SHA-256)",
    holds: ({ form }) => isSha256Base64url(one(form, "code_challenge") ?? ""),
  },
  {
    name: "state-length",
    source: "docs/spec/oauth.md, Pushed authorization requests",
    problem: "state is longer than 4096 characters",
    holds: ({ form }) => (one(form, "state") ?? "").length <= 4096,
  },
  {
    name: "max-age-form",
    source: "RFC 9470 §5",
    problem: "max_age must be a whole number of seconds",
    holds: ({ form }) => /^\d{1,9}$/.test(one(form, "max_age") ?? "0"),
  },
  {
    // One of the values is required, so at least one must be supported.
    name: "acr-values-known",
    source: "RFC 9470 §5",
    error: "unmet_authentication_requirements",
    problem: "none of the acr_values is supported",
    holds: ({ form }) => listed(one(form, "acr_values")).length === 0 || supportedAcrValues(form).length > 0,
  },
  {
    name: "dpop-jkt-form",
    source: "RFC 9449 §10",
    problem: "dpop_jkt must be a SHA-256 thumbprint",
    holds: ({ form }) => !has(form, "dpop_jkt") || isSha256Base64url(one(form, "dpop_jkt") ?? ""),
  },
  {
    // Merge isn't supported.
    name: "grant-action-known",
    source: "Grant Management §5.2",
    problem: "grant_management_action must be create or replace",
    holds: ({ form }) => ["create", "replace"].includes(one(form, "grant_management_action") ?? "create"),
  },
  {
    name: "grant-id-for-replace",
    source: "Grant Management §5.2",
    problem: "grant_id requires grant_management_action=replace",
    holds: ({ form }) => !has(form, "grant_id") || one(form, "grant_management_action") === "replace",
  },
  {
    name: "replace-names-grant",
    source: "Grant Management §5.2",
    problem: "grant_management_action=replace requires grant_id",
    holds: ({ form }) => one(form, "grant_management_action") !== "replace" || has(form, "grant_id"),
  },
]);

export const replacedGrantRules = defineRules<{ isOwnAndLive: boolean }>(
  "pushed request, grant to replace",
  { ...shared, error: "invalid_grant_id" },
  [
    {
      // Same answer for unknown, another client's and ended grants.
      name: "grant-replaceable",
      source: "Grant Management §5.4",
      problem: "grant_id is not an active grant of this client",
      holds: ({ isOwnAndLive }) => isOwnAndLive,
    },
  ],
);

/** @throws OAuthError invalid_request and related codes (RFC 9126 §2.3). */
export const checkPushedRequest = (form: Form, client: PushingClient): PushedParameters => {
  checkRules(pushedRequestRules, { form, client });
  return {
    redirectUri: one(form, "redirect_uri") ?? "",
    codeChallenge: one(form, "code_challenge") ?? "",
    state: one(form, "state") ?? null,
    dpopJkt: one(form, "dpop_jkt") ?? null,
    maxAgeSeconds: maxAgeOf(form),
    acrValues: supportedAcrValues(form),
    replacesGrantId: one(form, "grant_id") ?? null,
    scope: one(form, "scope"),
    resources: (form["resource"] as readonly string[] | undefined) ?? [],
    authorizationDetails: readDetails(one(form, "authorization_details")),
  };
};

/** `prompt=login` requires a new authentication for this request, like `max_age=0` (OpenID Connect Core §3.1.2.1). */
const maxAgeOf = (form: Form): number | null => {
  const maxAge = one(form, "max_age");
  if (listed(one(form, "prompt")).includes("login")) return 0;
  return maxAge === undefined ? null : Number(maxAge);
};
