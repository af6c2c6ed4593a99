import { describe, expect, test } from "vitest";
import { send } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";

const { sandboxUrl, productionUrl } = currentInstance();
const wellKnown = "/.well-known/oauth-protected-resource";

const resourcesOf = async (baseUrl: string) =>
  (await send(`${baseUrl}/.well-known/oauth-authorization-server`)).json as unknown as {
    protected_resources: string[];
    scopes_supported: string[];
  };

/** The well-known path is inserted between host and path of the resource (§3.1). */
const metadataUrl = (resource: string): string => {
  const { origin, pathname } = new URL(resource);
  return `${origin}${wellKnown}${pathname === "/" ? "" : pathname}`;
};

describe.each([
  ["production", productionUrl],
  ["sandbox", sandboxUrl],
])("RFC 9728 metadata of the resources of %s", (_name, baseUrl) => {
  test("each resource listed by the authorization server has metadata that lists the server (§3.3, §4)", async () => {
    const { protected_resources: resources } = await resourcesOf(baseUrl);
    expect(resources).toEqual(
      expect.arrayContaining([
        baseUrl,
        ...["merchant_test", "billing", "directory"].map((name) => `${baseUrl}/${name}`),
      ]),
    );
    for (const resource of resources) {
      const answer = await send(metadataUrl(resource), { headers: { origin: "https://other.example" } });
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.json).toMatchObject({
        resource,
        authorization_servers: [baseUrl],
        bearer_methods_supported: ["header"],
        dpop_signing_alg_values_supported: ["ES256", "PS256", "EdDSA", "Ed25519"],
      });
    }
  });

  test("each scope belongs to exactly one resource (docs/spec/oauth.md, Clients, scopes and resources)", async () => {
    const { protected_resources: resources, scopes_supported: known } = await resourcesOf(baseUrl);
    const scopes = await Promise.all(
      resources.map(async (resource) => (await send(metadataUrl(resource))).json?.["scopes_supported"] as string[]),
    );
    expect(scopes.flat().sort()).toEqual([...known].sort());
  });

  test("other paths have no metadata", async () => {
    for (const path of ["/other", "/merchant_test/charges", "/billing/usage", "/directory/v1/participants", "/"]) {
      expect((await send(`${baseUrl}${wellKnown}${path}`)).status).toBe(404);
    }
  });
});

describe("RFC 9728 §5.1: a challenge contains the metadata URL of its own resource", () => {
  test.each([
    ["/merchant_test/charges", `${sandboxUrl}${wellKnown}/merchant_test`],
    ["/billing/usage", `${sandboxUrl}${wellKnown}/billing`],
    ["/oauth/mandates/mdt_unknown/charges", `${sandboxUrl}${wellKnown}`],
  ])("%s", async (path, expected) => {
    for (const headers of [{}, { authorization: "Bearer x" }]) {
      const challenge = (await send(`${sandboxUrl}${path}`, { headers })).headers.get("www-authenticate") ?? "";
      const urls = [...challenge.matchAll(/resource_metadata="([^"]+)"/g)].map(([, url]) => url);
      expect(new Set(urls)).toEqual(new Set([expected]));
      expect((await send(expected)).json?.["resource"]).toBe(expected.replace(wellKnown, ""));
    }
  });
});
