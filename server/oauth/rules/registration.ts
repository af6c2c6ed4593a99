import { OAuthError } from "../../kernel/errors.ts";
import { assertionAlgorithms } from "./client-assertion.ts";
import { redirectUriProblem } from "./redirect-uri.ts";
import { type ClientKind, isScope, parseScope, scopeRules, scopesOfKind } from "./scopes.ts";
import { tokenExchangeGrant } from "./token-exchange.ts";

const grantTypes = ["authorization_code", "refresh_token", "client_credentials", tokenExchangeGrant] as const;

/** RFC 7591 §2, defaults included, in wire names: what is stored and echoed. */
export type ClientMetadata = {
  redirect_uris?: string[];
  token_endpoint_auth_method: "private_key_jwt";
  token_endpoint_auth_signing_alg?: (typeof assertionAlgorithms)[number];
  grant_types: (typeof grantTypes)[number][];
  response_types: "code"[];
  client_name?: string;
  scope: string;
  jwks: { keys: Record<string, unknown>[] };
  dpop_bound_access_tokens: boolean;
  authorization_details_types?: string[];
  [uri: string]: unknown;
};

export type Registration = { kind: ClientKind; metadata: ClientMetadata };

const bad = (field: string, problem: string): never => {
  throw new OAuthError(
    field === "redirect_uris" ? "invalid_redirect_uri" : "invalid_client_metadata",
    `${field}: ${problem}`,
  );
};

type Raw = Readonly<Record<string, unknown>>;

const stringList = (raw: Raw, field: string): string[] | undefined => {
  const value = raw[field];
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || value.some((item) => typeof item !== "string"))
    return bad(field, "must be a list of strings");
  return [...new Set(value as string[])];
};

const text = (raw: Raw, field: string, maxLength: number): string | undefined => {
  const value = raw[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string" || value === "" || value.length > maxLength) {
    return bad(field, `must be a string of at most ${maxLength} characters`);
  }
  return value;
};

/** It stands on the consent page: nothing that could make the page read differently from what it says. */
const shownName = (raw: Raw): string | undefined => {
  const name = text(raw, "client_name", 200);
  if (name !== undefined && (/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(name) || name.trim() === "")) {
    return bad("client_name", "must be plain text without control characters");
  }
  return name;
};

const webAddress = (raw: Raw, field: string): string | undefined => {
  const value = text(raw, field, 2000);
  if (value === undefined) return undefined;
  if (!URL.canParse(value) || new URL(value).protocol !== "https:") return bad(field, "must be an https address");
  return value;
};

/** Members that are echoed as they are, when they are sound. */
const informative = ["client_uri", "logo_uri", "policy_uri", "tos_uri"] as const;

/**
 * Checks client metadata (RFC 7591 §2) and fills in what was left out. Unknown members are ignored (§3.1).
 * The keys themselves are checked by `checkClientKeys`.
 * @param allowed what an initial access token fixed; null: anybody may register (sandbox).
 * @throws OAuthError invalid_client_metadata or invalid_redirect_uri, naming the member.
 */
export const checkRegistration = (
  raw: Raw,
  options: { allowed: { kind: ClientKind; scopes: readonly string[] } | null; mayChooseBearer: boolean },
): Registration => {
  if (raw["client_id"] !== undefined) bad("client_id", "is set by the server");
  if (raw["client_secret"] !== undefined) bad("client_secret", "there are no secrets here");
  if (raw["software_statement"] !== undefined) {
    throw new OAuthError("invalid_software_statement", "software statements are not taken yet");
  }
  const authMethod = raw["token_endpoint_auth_method"] ?? "private_key_jwt";
  if (authMethod !== "private_key_jwt") bad("token_endpoint_auth_method", "must be private_key_jwt");

  const types = checkGrantTypes(raw);
  const isAgent = types.includes("authorization_code");
  const kind = decideKind(raw, isAgent, options.allowed?.kind);
  const scopes = checkScopes(raw, kind, options.allowed?.scopes);
  return {
    kind,
    metadata: {
      ...(isAgent ? { redirect_uris: checkRedirectUris(raw) } : {}),
      token_endpoint_auth_method: "private_key_jwt",
      ...optional("token_endpoint_auth_signing_alg", checkSigningAlg(raw)),
      grant_types: types,
      response_types: checkResponseTypes(raw, isAgent),
      ...optional("client_name", shownName(raw)),
      ...Object.fromEntries(informative.flatMap((field) => Object.entries(optional(field, webAddress(raw, field))))),
      ...optional("contacts", stringList(raw, "contacts")),
      ...optional("software_id", text(raw, "software_id", 200)),
      ...optional("software_version", text(raw, "software_version", 200)),
      scope: scopes.join(" "),
      jwks: checkJwksShape(raw),
      dpop_bound_access_tokens: checkDpopBound(raw, isAgent, options.mayChooseBearer),
      ...optional("authorization_details_types", checkDetailsTypes(raw, isAgent)),
    },
  };
};

const optional = <T>(field: string, value: T | undefined): Record<string, T> =>
  value === undefined ? {} : { [field]: value };

const checkGrantTypes = (raw: Raw): ClientMetadata["grant_types"] => {
  const types = stringList(raw, "grant_types") ?? ["authorization_code"];
  const known = grantTypes.filter((type) => types.includes(type));
  if (known.length !== types.length || known.length === 0) bad("grant_types", "holds a type that is not supported");
  for (const follower of ["refresh_token", tokenExchangeGrant] as const) {
    if (known.includes(follower) && !known.includes("authorization_code")) {
      bad("grant_types", `${follower} needs authorization_code`);
    }
  }
  return known;
};

/** What is malformed here is metadata (RFC 7591 §3.2.2), and no scope that a token request asked for. */
const scopesOf = (raw: Raw): string[] => {
  const scope = text(raw, "scope", 4000);
  return isScope(scope) ? parseScope(scope) : bad("scope", "is malformed");
};

const decideKind = (raw: Raw, isAgent: boolean, fixed: ClientKind | undefined): ClientKind => {
  const asksMerchant = scopesOf(raw).some(
    (name) => Object.hasOwn(scopeRules, name) && scopeRules[name]?.kind === "merchant",
  );
  if (fixed === "merchant" && isAgent) bad("grant_types", "a merchant's client has client_credentials alone");
  const kind = fixed ?? (asksMerchant ? "merchant" : "agent");
  if (kind === "merchant" && isAgent) bad("scope", "a client is an agent or a merchant's client, never both");
  return kind;
};

const checkScopes = (raw: Raw, kind: ClientKind, widest: readonly string[] | undefined): readonly string[] => {
  const asked = scopesOf(raw);
  const possible = scopesOfKind(kind).filter((scope) => widest?.includes(scope) ?? true);
  if (asked.length === 0) return possible;
  for (const scope of asked) if (!possible.includes(scope)) bad("scope", "holds a scope that this client can't have");
  return asked;
};

const checkRedirectUris = (raw: Raw): string[] => {
  const uris = stringList(raw, "redirect_uris") ?? [];
  if (uris.length === 0 || uris.length > 20) bad("redirect_uris", "must hold 1 to 20 addresses");
  for (const uri of uris) {
    const problem = redirectUriProblem(uri);
    if (problem) bad("redirect_uris", `an address is ${problem}`.replace("is has", "has"));
  }
  return uris;
};

const checkResponseTypes = (raw: Raw, isAgent: boolean): "code"[] => {
  const types = stringList(raw, "response_types");
  if (types?.some((type) => type !== "code")) bad("response_types", "only code is supported");
  if (types?.length && !isAgent) bad("response_types", "code needs the grant type authorization_code");
  return isAgent ? ["code"] : [];
};

const checkSigningAlg = (raw: Raw): ClientMetadata["token_endpoint_auth_signing_alg"] => {
  const alg = text(raw, "token_endpoint_auth_signing_alg", 20);
  if (alg === undefined) return undefined;
  return (
    assertionAlgorithms.find((known) => known === alg) ?? bad("token_endpoint_auth_signing_alg", "is not supported")
  );
};

const checkDpopBound = (raw: Raw, isAgent: boolean, mayChooseBearer: boolean): boolean => {
  const asked = raw["dpop_bound_access_tokens"];
  if (asked !== undefined && typeof asked !== "boolean") return bad("dpop_bound_access_tokens", "must be a boolean");
  if (isAgent && asked === false && !mayChooseBearer) {
    return bad("dpop_bound_access_tokens", "must be true for the grant type authorization_code");
  }
  return asked ?? isAgent;
};

const checkDetailsTypes = (raw: Raw, isAgent: boolean): string[] | undefined => {
  const types = stringList(raw, "authorization_details_types");
  if (types?.some((type) => type !== "payment_mandate_v1")) bad("authorization_details_types", "holds an unknown type");
  return types ?? (isAgent ? ["payment_mandate_v1"] : undefined);
};

const checkJwksShape = (raw: Raw): { keys: Record<string, unknown>[] } => {
  if (raw["jwks_uri"] !== undefined) bad("jwks_uri", "is not taken yet: send jwks");
  const jwks = raw["jwks"] as { keys?: unknown } | undefined;
  const keys = typeof jwks === "object" && jwks !== null ? jwks.keys : undefined;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > 10)
    return bad("jwks", "must hold 1 to 10 public keys");
  if (keys.some((key) => typeof key !== "object" || key === null || Array.isArray(key)))
    bad("jwks", "holds something that is no key");
  return { keys: keys as Record<string, unknown>[] };
};

/**
 * Only public keys, RSA of at least 2048 bits, P-256 or Ed25519, with distinct kids (1-oauth, Register).
 * @returns each key with the members that we know, so that nothing else is stored or echoed.
 */
export const checkClientKeys = (keys: readonly Record<string, unknown>[]): Record<string, string>[] => {
  const kids = new Set<string>();
  return keys.map((key) => {
    const kid = key["kid"];
    if (kid !== undefined && (typeof kid !== "string" || kid === "" || kid.length > 256))
      bad("jwks", "a kid is malformed");
    if (kid === undefined && keys.length > 1) bad("jwks", "several keys need a kid each");
    if (typeof kid === "string" && kids.has(kid)) bad("jwks", "two keys have the same kid");
    if (typeof kid === "string") kids.add(kid);
    for (const member of ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]) {
      if (Object.hasOwn(key, member)) bad("jwks", "holds a private or symmetric key");
    }
    if (key["use"] !== undefined && key["use"] !== "sig") bad("jwks", "a key is not for signatures");
    const alg = algorithmOfKey(key);
    if (key["alg"] !== undefined && key["alg"] !== alg && !(alg === "EdDSA" && key["alg"] === "Ed25519")) {
      bad("jwks", "a key's alg is not one that we support for it");
    }
    return pickKey(key, alg);
  });
};

/** The one algorithm that we accept from a key. */
export const algorithmOfKey = (key: Readonly<Record<string, unknown>>): (typeof assertionAlgorithms)[number] => {
  const { kty, crv, n, e, x, y } = key;
  if (kty === "EC" && crv === "P-256" && isBase64url(x) && isBase64url(y)) return "ES256";
  if (kty === "OKP" && crv === "Ed25519" && isBase64url(x)) {
    if (hasSmallOrder(Buffer.from(x, "base64url")))
      return bad("jwks", "an Ed25519 key is one that anybody can sign for");
    return "EdDSA";
  }
  if (kty === "RSA" && isBase64url(n) && isBase64url(e)) {
    const modulus = Buffer.from(n, "base64url");
    const leadingZeros = Math.clz32(modulus[0] ?? 0) - 24;
    if (modulus.length * 8 - leadingZeros < 2048) return bad("jwks", "an RSA key is shorter than 2048 bits");
    const exponent = BigInt(`0x${Buffer.from(e, "base64url").toString("hex") || "0"}`);
    // FIPS 186-5 §5.1: odd and above 2^16; with 1 anybody can sign.
    if (exponent <= 65_536n || exponent % 2n === 0n) return bad("jwks", "an RSA key's exponent is too small");
    return "PS256";
  }
  return bad("jwks", "a key is none of RSA, P-256 and Ed25519");
};

/** Points of order 1, 2, 4 and 8 (the list of libsodium's ed25519 reference code), the sign bit left out. */
const smallOrder: ReadonlySet<string> = new Set([
  "00".repeat(32),
  `01${"00".repeat(31)}`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  `ec${"ff".repeat(30)}7f`,
  `ed${"ff".repeat(30)}7f`,
  `ee${"ff".repeat(30)}7f`,
]);

const hasSmallOrder = (point: Buffer): boolean => {
  const unsigned = Buffer.from(point);
  unsigned[31] = (unsigned[31] ?? 0) & 0x7f;
  return smallOrder.has(unsigned.toString("hex"));
};

const isBase64url = (value: unknown): value is string =>
  typeof value === "string" && /^[A-Za-z0-9_-]{1,2000}$/.test(value);

const pickKey = (key: Readonly<Record<string, unknown>>, alg: string): Record<string, string> => {
  const picked: Record<string, string> = { use: "sig", alg };
  for (const member of ["kty", "crv", "x", "y", "n", "e", "kid"]) {
    const value = key[member];
    if (typeof value === "string") picked[member] = value;
  }
  return picked;
};
