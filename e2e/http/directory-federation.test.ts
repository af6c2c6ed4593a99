import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import { expectOAuthError } from "../support/answers/error-shape.ts";
import { type Answer, send, textOf } from "../support/answers/wire.ts";
import { currentInstance } from "../support/instance.ts";

/** OpenID Federation 1.0 (docs/spec/directory.md, OpenID Federation). */

const { sandboxUrl, productionUrl } = currentInstance();
const anchor = `${sandboxUrl}/directory`;
const configuration = (entity: string) => send(`${entity}/.well-known/openid-federation`);
const at = (path: string, query: Record<string, string> = {}) =>
  send(`${anchor}/federation/${path}?${new URLSearchParams(query)}`);

type Claims = JWTPayload & { jwks: JSONWebKeySet; metadata: Record<string, Record<string, unknown>> };

const claimsOf = (statement: string): Claims =>
  JSON.parse(Buffer.from(statement.split(".")[1] ?? "", "base64url").toString());

const verify = async (statement: string, jwks: JSONWebKeySet, typ: string): Promise<Claims> => {
  const { kid } = decodeProtectedHeader(statement);
  expect(jwks.keys.filter((key) => key.kid === kid)).toHaveLength(1);
  return (await jwtVerify(statement, createLocalJWKSet(jwks), { typ })).payload as Claims;
};

const expectSigned = (answer: Answer, type: string): string => {
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get("content-type")).toBe(`application/${type}`);
  return answer.text;
};

/** An entity's statement about itself. The signature is verified with the keys in the statement. */
const readConfiguration = async (entity: string): Promise<Claims> => {
  const statement = expectSigned(await configuration(entity), "entity-statement+jwt");
  const claims = await verify(statement, claimsOf(statement).jwks, "entity-statement+jwt");
  expect(claims).toMatchObject({ iss: entity, sub: entity, iat: expect.any(Number), exp: expect.any(Number) });
  return claims;
};

describe("entity configurations", () => {
  test.each([productionUrl, sandboxUrl])("%s: the directory is a trust anchor without superiors", async (baseUrl) => {
    const id = `${baseUrl}/directory`;
    const { metadata, ...claims } = await readConfiguration(id);
    expect(claims).not.toHaveProperty("authority_hints");
    const { federation_entity: entity } = metadata;
    expect(entity).toMatchObject({
      federation_fetch_endpoint: `${id}/federation/fetch`,
      federation_list_endpoint: `${id}/federation/list`,
      federation_resolve_endpoint: `${id}/federation/resolve`,
      federation_historical_keys_endpoint: `${id}/federation/historical-keys`,
      log_key: (await send(`${id}/log/key`)).text.trim(),
    });
  });

  test("the authorization server names the directory, and has its own metadata (RFC 8414 §2)", async () => {
    const claims = await readConfiguration(sandboxUrl);
    expect(claims["authority_hints"]).toEqual([anchor]);
    const metadata = await send(`${sandboxUrl}/.well-known/oauth-authorization-server`);
    expect(claims.metadata["oauth_authorization_server"]).toEqual(metadata.json);
    expect(claims.metadata["federation_entity"]).not.toHaveProperty("federation_fetch_endpoint");
  });

  test("federation keys are not in the server's JWK Set", async () => {
    const { keys } = (await send(`${sandboxUrl}/.well-known/jwks.json`)).json as unknown as JSONWebKeySet;
    const { jwks } = await readConfiguration(sandboxUrl);
    expect(keys.map(({ kid }) => kid)).not.toEqual(expect.arrayContaining([jwks.keys[0]?.kid]));
  });
});

describe("fetch, list, resolve and historical keys", () => {
  test("the statement about the server contains the server's federation keys", async () => {
    const { jwks } = await readConfiguration(anchor);
    const statement = expectSigned(await at("fetch", { sub: sandboxUrl }), "entity-statement+jwt");
    const claims = await verify(statement, jwks, "entity-statement+jwt");
    expect(claims).toMatchObject({ iss: anchor, sub: sandboxUrl, source_endpoint: `${anchor}/federation/fetch` });
    expect(claims.jwks).toEqual((await readConfiguration(sandboxUrl)).jwks);
    expect(claims).not.toHaveProperty("authority_hints");
  });

  test("the list contains the server, and can be filtered by entity type and intermediate", async () => {
    const list = async (query: string) => {
      const answer = await send(`${anchor}/federation/list?${query}`, { headers: { origin: "https://other.example" } });
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      return JSON.parse(answer.text) as unknown;
    };
    expect(await list("")).toEqual([sandboxUrl]);
    expect(await list("intermediate=false&other=1&other=2")).toEqual([sandboxUrl]);
    expect(await list("entity_type=oauth_authorization_server&entity_type=federation_entity")).toEqual([sandboxUrl]);
    expect(await list("entity_type=oauth_authorization_server&entity_type=openid_provider")).toEqual([]);
    expect(await list("intermediate=true")).toEqual([]);
  });

  test("a resolve response has a valid trust chain and the expiry of this chain", async () => {
    const { jwks } = await readConfiguration(anchor);
    const answer = await at("resolve", { sub: sandboxUrl, trust_anchor: anchor });
    const claims = await verify(expectSigned(answer, "resolve-response+jwt"), jwks, "resolve-response+jwt");
    expect(claims).toMatchObject({ iss: anchor, sub: sandboxUrl });
    const chain = claims["trust_chain"] as string[];
    expect(chain.map((statement) => [claimsOf(statement).iss, claimsOf(statement).sub])).toEqual([
      [sandboxUrl, sandboxUrl],
      [anchor, sandboxUrl],
      [anchor, anchor],
    ]);
    for (const [index, statement] of chain.entries()) {
      await verify(statement, claimsOf(chain[index + 1] ?? statement).jwks, "entity-statement+jwt");
    }
    expect(claims.exp).toBe(Math.min(...chain.map((statement) => claimsOf(statement).exp ?? 0)));
    expect(claims.metadata).toEqual(claimsOf(chain[0] ?? "").metadata);
    const query = { sub: sandboxUrl, trust_anchor: anchor, entity_type: "federation_entity" };
    expect(Object.keys(claimsOf((await at("resolve", query)).text).metadata)).toEqual(["federation_entity"]);
    const ofAnchor = claimsOf((await at("resolve", { sub: anchor, trust_anchor: anchor })).text);
    expect(ofAnchor["trust_chain"]).toHaveLength(1);
  });

  test("historical keys are a signed JWK Set", async () => {
    const { jwks } = await readConfiguration(anchor);
    const claims = await verify(expectSigned(await at("historical-keys"), "jwk-set+jwt"), jwks, "jwk-set+jwt");
    expect(claims).toMatchObject({ iss: anchor, iat: expect.any(Number), keys: [] });
  });

  test("each endpoint responds at the URL that the trust anchor's metadata contains", async () => {
    const entity = (await readConfiguration(anchor)).metadata["federation_entity"] ?? {};
    const urls = Object.entries(entity).flatMap(([name, url]) => (name.endsWith("_endpoint") ? [String(url)] : []));
    const query = new URLSearchParams({ sub: sandboxUrl, trust_anchor: anchor });
    const answers = await Promise.all(urls.map((url) => send(`${url}?${query}`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});

describe("errors (OpenID Federation 1.0, Error Responses)", () => {
  const other = "https://other.example";
  test.each([
    ["fetch", "", 400, "invalid_request"],
    ["fetch", `sub=${anchor}`, 400, "invalid_request"],
    ["fetch", `sub=${sandboxUrl}&sub=${other}`, 400, "invalid_request"],
    ["fetch", `sub=${other}`, 404, "not_found"],
    ["list", "trust_marked=true", 400, "unsupported_parameter"],
    ["list", `trust_mark_type=${other}`, 400, "unsupported_parameter"],
    ["list", "intermediate=maybe", 400, "invalid_request"],
    ["resolve", `sub=${sandboxUrl}`, 400, "invalid_request"],
    ["resolve", `trust_anchor=${anchor}`, 400, "invalid_request"],
    ["resolve", `sub=${sandboxUrl}&trust_anchor=${other}`, 404, "invalid_trust_anchor"],
    ["resolve", `sub=${other}&trust_anchor=${anchor}`, 404, "not_found"],
  ])("%s?%s is %d %s", async (path, query, status, code) => {
    const answer = await send(`${anchor}/federation/${path}?${query}`);
    expectOAuthError(answer, status, code);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(textOf(answer, "error_description")).not.toBe("");
  });

  test("resolve accepts several trust anchors if one of them is known, and ignores unknown parameters", async () => {
    const query = `sub=${sandboxUrl}&trust_anchor=${other}&trust_anchor=${anchor}&other=1`;
    expectSigned(await send(`${anchor}/federation/resolve?${query}`), "resolve-response+jwt");
  });
});
