import { OAuthError } from "../../kernel/errors.ts";
import { holdsText } from "../../kernel/text.ts";
import { isCodeChallenge } from "./pkce.ts";
import { redirectUriMatches } from "./redirect-uri.ts";
import { acrValues } from "./tokens.ts";

/** What a client pushed, checked; authorization_details and scopes are checked by their own rules. */
export type PushedParameters = {
  redirectUri: string;
  codeChallenge: string;
  state: string | null;
  dpopJkt: string | null;
  maxAgeSeconds: number | null;
  /** those that can be met, in the client's order of preference; empty: any will do */
  acrValues: string[];
  /** the grant to replace; null: a new one */
  replacesGrantId: string | null;
  scope: string | undefined;
  resources: readonly string[];
  authorizationDetails: unknown;
};

type Form = Readonly<Record<string, string | readonly string[]>>;
type Rule = (form: Form, client: { id: string; redirectUris: readonly string[] }) => void;

const one = (form: Form, name: string): string | undefined => {
  const value = form[name];
  return typeof value === "string" ? value : undefined;
};

const refuse = (code: ConstructorParameters<typeof OAuthError>[0], description: string): never => {
  throw new OAuthError(code, description);
};

const listed = (text: string | undefined): string[] => (text ?? "").split(" ").filter((value) => value !== "");

const supportedAcrValues = (form: Form): string[] =>
  listed(one(form, "acr_values")).filter((value) => acrValues.some((known) => known === value));

const maxDetailsBytes = 16 * 1024;

/** The checks of a pushed authorization request, in order; each throws an OAuthError. */
const rules: readonly Rule[] = [
  // RFC 9126 §2.1
  (form) => one(form, "request_uri") !== undefined && refuse("invalid_request", "request_uri can't be pushed"),
  // RFC 9101 §6: request objects are not supported
  (form) => one(form, "request") !== undefined && refuse("request_not_supported", "request objects are not supported"),
  (form, client) =>
    one(form, "client_id") !== undefined &&
    one(form, "client_id") !== client.id &&
    refuse("invalid_request", "client_id is not the authenticated client"),
  (form) => one(form, "redirect_uri") === undefined && refuse("invalid_request", "redirect_uri is missing"),
  // FAPI 2.0 §5.3.2.2, RFC 9700 §4.1.3
  (form, client) =>
    !redirectUriMatches(client.redirectUris, one(form, "redirect_uri") ?? "") &&
    refuse("invalid_request", "redirect_uri is not registered"),
  (form) => one(form, "response_type") === undefined && refuse("invalid_request", "response_type is missing"),
  (form) => one(form, "response_type") !== "code" && refuse("unsupported_response_type", "response_type must be code"),
  (form) =>
    (one(form, "response_mode") ?? "query") !== "query" && refuse("invalid_request", "response_mode must be query"),
  // Every request shows the page (1-oauth, Authorize).
  (form) => listed(one(form, "prompt")).includes("none") && refuse("invalid_request", "prompt none is not supported"),
  // RFC 7636 §4.3, §4.4.1; FAPI 2.0 §5.3.2.2
  (form) => one(form, "code_challenge") === undefined && refuse("invalid_request", "code_challenge is missing"),
  (form) =>
    one(form, "code_challenge_method") !== "S256" && refuse("invalid_request", "code_challenge_method must be S256"),
  (form) =>
    !isCodeChallenge(one(form, "code_challenge") ?? "") &&
    refuse("invalid_request", "code_challenge must be 43 characters of base64url"),
  (form) =>
    (one(form, "state") ?? "").length > 4096 && refuse("invalid_request", "state is longer than 4096 characters"),
  (form) =>
    !/^\d{1,9}$/.test(one(form, "max_age") ?? "0") &&
    refuse("invalid_request", "max_age must be a whole number of seconds"),
  // RFC 9470 §5: one of the values is a requirement, which no payer could meet where none is known here.
  (form) =>
    listed(one(form, "acr_values")).length > 0 &&
    supportedAcrValues(form).length === 0 &&
    refuse("unmet_authentication_requirements", "none of the acr_values can be met"),
  // RFC 9449 §10
  (form) =>
    !/^[A-Za-z0-9_-]{43}$/.test(one(form, "dpop_jkt") ?? "A".repeat(43)) &&
    refuse("invalid_request", "dpop_jkt must be a SHA-256 thumbprint"),
  // Grant Management §5.2, §5.4; a merge is never offered.
  (form) =>
    !["create", "replace"].includes(one(form, "grant_management_action") ?? "create") &&
    refuse("invalid_request", "grant_management_action must be create or replace"),
  (form) =>
    one(form, "grant_id") !== undefined &&
    one(form, "grant_management_action") !== "replace" &&
    refuse("invalid_request", "grant_id needs grant_management_action replace"),
  (form) =>
    one(form, "grant_management_action") === "replace" &&
    one(form, "grant_id") === undefined &&
    refuse("invalid_request", "grant_management_action replace needs grant_id"),
];

/** @throws OAuthError invalid_request and its kin; what it returns can be shown to a payer (RFC 9126 §2). */
export const checkPushedRequest = (
  form: Form,
  client: { id: string; redirectUris: readonly string[] },
): PushedParameters => {
  for (const rule of rules) rule(form, client);
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
    authorizationDetails: parseDetails(one(form, "authorization_details")),
  };
};

/** `prompt=login` asks for a proof made for this very request, as `max_age=0` does (OpenID Connect Core §3.1.2.1). */
const maxAgeOf = (form: Form): number | null => {
  const maxAge = one(form, "max_age");
  if (listed(one(form, "prompt")).includes("login")) return 0;
  return maxAge === undefined ? null : Number(maxAge);
};

/** RFC 9396 §2: a JSON array; 16 KiB at the most. */
const parseDetails = (text: string | undefined): unknown => {
  if (text === undefined) return refuse("invalid_request", "authorization_details is missing");
  if (Buffer.byteLength(text) > maxDetailsBytes) {
    return refuse("invalid_authorization_details", "authorization_details is larger than 16 KiB");
  }
  let details: unknown;
  try {
    details = JSON.parse(text);
  } catch {
    return refuse("invalid_authorization_details", "authorization_details is not JSON");
  }
  // Escapes of JSON can spell what the form itself could not hold.
  if (!holdsText(details)) {
    return refuse("invalid_authorization_details", "authorization_details holds a text with NUL or a lone surrogate");
  }
  if (!Array.isArray(details)) return refuse("invalid_authorization_details", "authorization_details is not an array");
  if (details.length === 0) return refuse("invalid_request", "authorization_details holds no payment_mandate_v1");
  return details;
};
