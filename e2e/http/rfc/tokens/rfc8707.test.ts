import { decodeJwt } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError } from "../../../support/answers/error-shape.ts";
import { formType, send, textOf } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import { authorize, type FapiClient, push, redeem, registerPair } from "../../../support/oauth/fapi-clients.ts";
import { assertionType, signAssertion } from "../../../support/oauth/oauth-client.ts";
import { type Merchant, postAs, registerAgent, registerMerchant } from "../../../support/oauth/parties.ts";

const { sandboxUrl, productionUrl } = currentInstance();
const merchantResource = `${sandboxUrl}/merchant_test`;

let client: FapiClient;
let merchant: Merchant;
beforeAll(async () => {
  [client] = await registerPair(sandboxUrl);
  merchant = await registerMerchant(sandboxUrl);
});

const credentials = (fields: Record<string, string> = {}) =>
  postAs(merchant, "/oauth/token", { form: { grant_type: "client_credentials", ...fields } });
const audienceOf = (answer: Awaited<ReturnType<typeof credentials>>) => decodeJwt(textOf(answer, "access_token")).aud;

const foreign: [string, string][] = [
  ["another server", "https://other.example"],
  ["production's", productionUrl],
  ["a path below", `${sandboxUrl}/merchant_test/charges`],
  ["two more slashes", `${sandboxUrl}/merchant_test//`],
  ["with credentials", `${sandboxUrl.replace("://", "://user@")}/merchant_test`],
  ["a query", `${sandboxUrl}/merchant_test?a`],
  ["a fragment (§2)", `${sandboxUrl}/merchant_test#a`],
  ["in upper case", `${sandboxUrl}/merchant_test`.toUpperCase()],
  ["a relative URL (§2)", "/merchant_test"],
  ["not a URL", "merchant_test"],
];

describe("RFC 8707 §2: the resource of client credentials", () => {
  test("is the resource of the scopes, whether it is requested or not; it is the token's only audience", async () => {
    expect(audienceOf(await credentials())).toBe(merchantResource);
    expect(audienceOf(await credentials({ resource: merchantResource }))).toBe(merchantResource);
  });

  test("may end with a slash, which URL libraries add; the token's aud matches the metadata", async () => {
    expect(audienceOf(await credentials({ resource: `${merchantResource}/` }))).toBe(merchantResource);
    const { origin } = new URL(sandboxUrl);
    const resource = new URL(origin.toUpperCase()).href;
    const code = await authorize(client, { resource });
    const granted = await redeem(client, code, { fields: { resource } });
    expect(audienceOf(granted)).toBe(sandboxUrl);
    const fields = { grant_type: "refresh_token", refresh_token: textOf(granted, "refresh_token"), resource };
    expect(audienceOf(await postAs(client, "/oauth/token", { form: fields, ...client }))).toBe(sandboxUrl);
  });

  test("the error for an unknown resource names the expected resource", async () => {
    const refused = await credentials({ resource: "https://other.example" });
    expect(refused.json?.["error_description"]).toBe(
      `the resource does not have these scopes; expected ${merchantResource}`,
    );
  });

  test.each([...foreign, ["the authorization server, which isn't the resource of these scopes", sandboxUrl] as const])(
    "%s: invalid_target",
    async (_name, resource) => {
      expectOAuthError(await credentials({ resource }), 400, "invalid_target");
    },
  );

  test("may be repeated; if one is unknown, the error is invalid_target", async () => {
    const requestToken = async (resources: readonly string[]) => {
      const pairs: [string, string][] = [
        ["grant_type", "client_credentials"],
        ["client_assertion_type", assertionType],
        ["client_assertion", await signAssertion(merchant, sandboxUrl)],
        ...resources.map((resource): [string, string] => ["resource", resource]),
      ];
      const body = new URLSearchParams(pairs).toString();
      return send(`${sandboxUrl}/oauth/token`, { method: "POST", headers: { "content-type": formType }, body });
    };
    expect(audienceOf(await requestToken([merchantResource, merchantResource]))).toBe(merchantResource);
    expectOAuthError(await requestToken([merchantResource, "https://other.example"]), 400, "invalid_target");
    expectOAuthError(await requestToken(["https://other.example", merchantResource]), 400, "invalid_target");
  });

  test("is the authorization server for an agent's own scopes", async () => {
    const agent = await registerAgent(sandboxUrl, {
      metadata: { grant_types: ["authorization_code", "client_credentials"] },
    });
    const requestToken = (resource: string) =>
      postAs(agent, "/oauth/token", { form: { grant_type: "client_credentials", resource }, ...client });
    expect(audienceOf(await requestToken(sandboxUrl))).toBe(sandboxUrl);
    expectOAuthError(await requestToken(merchantResource), 400, "invalid_target");
  });
});

describe("RFC 8707 §2.1, §2.2: the resource of a mandate is the authorization server, from PAR to refresh", () => {
  test.each([...foreign, ["the merchants' resource", merchantResource] as const])(
    "answers invalid_target to %s at PAR",
    async (_name, resource) => {
      expectOAuthError((await push(client, { resource })).answer, 400, "invalid_target");
    },
  );

  test("another resource at the token endpoint gets invalid_target and doesn't consume the code; the right one is accepted (docs/spec/oauth.md, Authorization codes)", async () => {
    const code = await authorize(client, { resource: sandboxUrl });
    expectOAuthError(await redeem(client, code, { fields: { resource: merchantResource } }), 400, "invalid_target");
    const granted = await redeem(client, code, { fields: { resource: sandboxUrl } });
    expect(audienceOf(granted)).toBe(sandboxUrl);
    const fields = { grant_type: "refresh_token", refresh_token: textOf(granted, "refresh_token") };
    const refresh = (resource: string) => postAs(client, "/oauth/token", { form: { ...fields, resource }, ...client });
    expectOAuthError(await refresh("https://other.example"), 400, "invalid_target");
    expect(audienceOf(await refresh(sandboxUrl))).toBe(sandboxUrl);
  });
});
