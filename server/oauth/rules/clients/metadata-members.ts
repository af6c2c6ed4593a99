import { checkRules, defineRules } from "../../../kernel/rule.ts";
import { isScope } from "../scopes.ts";
import { tokenExchangeGrant } from "../tokens/token-exchange.ts";
import { assertionAlgorithms } from "./client-assertion.ts";

/** Client metadata as sent. A null member counts as absent (RFC 7592 §2.2). */
export type Raw = Readonly<Record<string, unknown>>;

export const grantTypes = ["authorization_code", "refresh_token", "client_credentials", tokenExchangeGrant] as const;

/** Rules for a member alone, independent of other members. */
type Form<T> = { problem: string; source?: string; is(value: unknown): value is T };

const text = (maxLength: number): Form<string> => ({
  problem: `must be a string of 1 to ${maxLength} characters`,
  is: (value): value is string => typeof value === "string" && value !== "" && value.length <= maxLength,
});

const isListOfTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string" && item.length <= 2000);

const texts: Form<readonly string[]> = {
  problem: "must be a list of strings of at most 2000 characters",
  is: isListOfTexts,
};

const listOf = <T extends string>(known: readonly T[], least: 0 | 1): Form<readonly T[]> => ({
  problem: `must be a list of ${least === 0 ? "" : "one or more of "}${known.join(", ")}`,
  is: (value): value is readonly T[] =>
    isListOfTexts(value) && value.length >= least && value.every((item) => known.some((one) => one === item)),
});

const oneOf = <T extends string>(...known: readonly T[]): Form<T> => ({
  problem: `must be ${known.join(" or ")}`,
  is: (value): value is T => known.some((one) => one === value),
});

const flag: Form<boolean> = {
  problem: "must be a boolean",
  is: (value): value is boolean => typeof value === "boolean",
};

const absent = (problem: string): Form<never> => ({ problem, is: (_value): _value is never => false });

/** RFC 9701 §6: responses are signed and never encrypted, so a client that requests encryption is refused. */
const unencrypted = { ...absent("is not supported"), source: "RFC 9701 §6" };
const noSecret = { ...absent("client secrets are not supported"), source: "docs/spec/oauth.md, Endpoints" };

const members = {
  client_secret: noSecret,
  client_secret_expires_at: noSecret,
  token_endpoint_auth_method: { ...oneOf("private_key_jwt"), source: "docs/spec/oauth.md, Client registration" },
  token_endpoint_auth_signing_alg: { ...oneOf(...assertionAlgorithms), source: "docs/spec/oauth.md, Client assertion" },
  grant_types: listOf(grantTypes, 1),
  response_types: listOf(["code"], 0),
  redirect_uris: texts,
  scope: {
    problem: "is malformed, or longer than 4000 characters",
    source: "RFC 6749 §3.3",
    is: (value: unknown): value is string =>
      typeof value === "string" && value.length <= 4000 && (value === "" || isScope(value)),
  },
  contacts: texts,
  software_id: text(200),
  software_version: text(200),
  jwks_uri: text(2000),
  dpop_bound_access_tokens: { ...flag, source: "RFC 9449 §5.2" },
  authorization_details_types: { ...listOf(["payment_mandate_v1"], 0), source: "RFC 9396 §10" },
  introspection_signed_response_alg: { ...oneOf("ES256"), source: "RFC 9701 §6" },
  introspection_encrypted_response_alg: unencrypted,
  introspection_encrypted_response_enc: unencrypted,
  webhook_uri: { ...text(2000), source: "docs/spec/payments.md, Webhooks" },
  webhook_secret_rotation: { ...flag, source: "docs/spec/payments.md, Webhooks" },
} as const satisfies Readonly<Record<string, Form<unknown>>>;

export const metadataMemberRules = defineRules<Raw>(
  "client metadata, member by member",
  { places: ["registerClient", "replaceClientRegistration"], error: "invalid_client_metadata" },
  Object.entries<Form<unknown>>(members).map(([member, { problem, source = "RFC 7591 §2", is }]) => ({
    name: `metadata-${member.replaceAll("_", "-")}`,
    names: member,
    problem,
    source,
    ...(member === "redirect_uris" ? { error: "invalid_redirect_uri" } : {}),
    holds: (sent) => sent[member] === undefined || is(sent[member]),
  })),
);

type Valued<F> = F extends Form<infer T> ? T : never;
/** The checked members; `jwks` has its own rules (client-jwks.ts). */
export type SentMetadata = { readonly [M in keyof typeof members]?: Valued<(typeof members)[M]> } & {
  readonly jwks?: unknown;
};

/**
 * @param raw without members that are null.
 * @throws OAuthError invalid_client_metadata or invalid_redirect_uri, naming the member.
 */
export const checkMembers = (raw: Raw): SentMetadata => {
  checkRules(metadataMemberRules, raw);
  return raw as SentMetadata;
};
