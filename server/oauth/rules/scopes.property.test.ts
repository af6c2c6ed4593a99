import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isOAuthError } from "../../kernel/errors.ts";
import {
  defaultScopes,
  isScope,
  parseScope,
  resolveScopes,
  resourceMetadataUrl,
  resourceUri,
  routeUrl,
  scopeRules,
  scopesOfKind,
  supportedScopes,
} from "./scopes.ts";

/** RFC 6749 §3.3: NQCHAR. */
const isTokenCharacter = (character: string) => character >= "!" && character <= "~" && !'"\\'.includes(character);

describe("scope as text (RFC 6749 §3.3)", () => {
  test("is parsed into its tokens, each once, in order", () => {
    const character = fc
      .integer({ min: 0x21, max: 0x7e })
      .map((code) => String.fromCharCode(code))
      .filter(isTokenCharacter);
    const token = fc.string({ unit: character, minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(token, { minLength: 1, maxLength: 6 }), (tokens) => {
        const parsed = parseScope(tokens.join(" "));
        expect(parsed).toEqual([...new Set(tokens)]);
        expect(parseScope(parsed.join(" "))).toEqual(parsed);
      }),
    );
  });

  test("is well formed if and only if single spaces separate tokens of the allowed characters; anything else is invalid_scope", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "!", "~", " ", '"', "\\", "\t", "é", "\n") });
    fc.assert(
      fc.property(text, (scope) => {
        const isWellFormed = scope.split(" ").every((token) => token !== "" && [...token].every(isTokenCharacter));
        expect(isScope(scope)).toBe(isWellFormed);
        if (isWellFormed) return;
        expect(() => parseScope(scope)).toThrow(expect.objectContaining({ code: "invalid_scope" }));
      }),
      { numRuns: 300 },
    );
  });
});

const baseUrl = "https://pay.example";
const discoveryUrl = "https://directory.example";
const urls = { baseUrl, discoveryUrl };
const scopeRequests = fc.record({
  scopes: fc.uniqueArray(fc.constantFrom(...supportedScopes, "refunds.everything", "__proto__"), { maxLength: 3 }),
  registered: fc.subarray([...supportedScopes]),
  kind: fc.constantFrom("agent" as const, "merchant" as const),
  grantType: fc.constantFrom("authorization_code" as const, "client_credentials" as const, "refresh_token" as const),
  requestedResources: fc.array(
    fc.constantFrom(
      baseUrl,
      `${baseUrl}/merchant_test`,
      `${baseUrl}/billing`,
      discoveryUrl,
      `${baseUrl}/`,
      `${baseUrl}/merchant_test/`,
      `${baseUrl}/merchant_test/other`,
    ),
    { maxLength: 2 },
  ),
  urls: fc.constant(urls),
});
/** URL adds a slash after a host without a path. */
const withoutSlash = (uri: string): string => uri.replace(/\/$/, "");
type ScopeRequest = typeof scopeRequests extends fc.Arbitrary<infer T> ? T : never;

/**
 * The table of docs/spec/oauth.md, Clients, scopes and resources, read row by row. @returns the resource, or the code
 * of the refusal.
 */
const slowResolve = ({ scopes, registered, kind, grantType, requestedResources }: ScopeRequest): string => {
  if (scopes.length === 0 && grantType === "client_credentials") return "invalid_scope";
  const rows = scopes.map((scope) => (supportedScopes.includes(scope) ? scopeRules[scope] : undefined));
  for (const [index, row] of rows.entries()) {
    const isAllowed =
      (row?.kind === kind || row?.kind === "both") &&
      row.grantTypes.includes(grantType) &&
      registered.includes(scopes[index] ?? "");
    if (!isAllowed) return "invalid_scope";
  }
  const resources = [...new Set(rows.map((row) => row?.resource))];
  if (resources.length > 1) return "invalid_scope";
  const resource = resources[0] ?? (kind === "merchant" ? "merchant_test" : "authorization_server");
  const isForeign = requestedResources.some((requested) => withoutSlash(requested) !== resourceUri(resource, urls));
  return isForeign ? "invalid_target" : resource;
};

const resolve = (input: ScopeRequest): string => {
  try {
    return resolveScopes(input).resource;
  } catch (error) {
    return isOAuthError(error) ? error.code : String(error);
  }
};

describe("the scopes of a request (docs/spec/oauth.md, Clients, scopes and resources; RFC 8707 §2)", () => {
  test("are accepted or refused as in the table, row by row", () => {
    fc.assert(
      fc.property(scopeRequests, (input) => {
        expect(resolve(input)).toBe(slowResolve(input));
      }),
      { numRuns: 1000 },
    );
  });

  test("stay allowed, at the same resource, if some of them are left out", () => {
    fc.assert(
      fc.property(scopeRequests, fc.nat(2), (input, leftOut) => {
        const allowed = resolve(input);
        fc.pre(!allowed.startsWith("invalid"));
        const scopes = input.scopes.filter((_, index) => index !== leftOut);
        fc.pre(scopes.length > 0 || input.scopes.length === 0);
        expect(resolve({ ...input, scopes })).toBe(allowed);
      }),
      { numRuns: 300 },
    );
  });

  test("are all registered scopes of one resource if none is requested: of the named resource, else the client kind's, else the first", () => {
    const kept = scopeRequests.map((input) => ({
      ...input,
      registered: input.registered.filter((scope) => scopesOfKind(input.kind).includes(scope)),
    }));
    fc.assert(
      fc.property(kept, (input) => {
        const { registered, grantType, requestedResources } = input;
        const uriOf = (scope: string) => resourceUri(scopeRules[scope]?.resource ?? "authorization_server", urls);
        const possible = registered.filter((scope) => scopeRules[scope]?.grantTypes.includes(grantType));
        const uris = [...new Set(possible.map(uriOf))];
        const own = input.kind === "merchant" ? `${baseUrl}/merchant_test` : baseUrl;
        const meant =
          uris.find((uri) => requestedResources.some((requested) => withoutSlash(requested) === uri)) ??
          (uris.includes(own) ? own : uris[0]);
        const scopes = defaultScopes(input);
        expect(scopes).toEqual(possible.filter((scope) => uriOf(scope) === meant));
        const isForeign = requestedResources.some((requested) => withoutSlash(requested) !== (meant ?? own));
        const isForNothing = scopes.length === 0 && grantType === "client_credentials";
        expect(resolve({ ...input, scopes }).startsWith("invalid")).toBe(isForNothing || isForeign);
      }),
      { numRuns: 500 },
    );
  });
});

describe("URLs of metadata and routes (RFC 9728 §3.1)", () => {
  test.each([
    ["authorization_server", `${baseUrl}/directory`, "https://pay.example/.well-known/oauth-protected-resource"],
    ["billing", `${baseUrl}/directory`, "https://pay.example/.well-known/oauth-protected-resource/billing"],
    ["directory", `${baseUrl}/directory`, "https://pay.example/.well-known/oauth-protected-resource/directory"],
    ["directory", discoveryUrl, "https://directory.example/.well-known/oauth-protected-resource"],
    ["directory", `${discoveryUrl}/a`, "https://directory.example/.well-known/oauth-protected-resource/a"],
  ] as const)("the metadata of the resource %s, with the directory at %s, is at %s", (resource, at, expected) => {
    expect(resourceMetadataUrl(resource, { baseUrl, discoveryUrl: at })).toBe(expected);
  });

  test("a directory with its own host serves its routes there; all other routes are at the issuer's host", () => {
    expect(routeUrl("/directory/v1/participants", urls)).toBe("https://directory.example/v1/participants");
    expect(routeUrl("/oauth/token", urls)).toBe("https://pay.example/oauth/token");
  });
});
