import { beforeAll, describe, expect, test } from "vitest";
import { expectOAuthError } from "../../../support/answers/error-shape.ts";
import { formType, postForm, send } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import { assertionType, signAssertion } from "../../../support/oauth/oauth-client.ts";
import { type Merchant, postAs, registerMerchant } from "../../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();
const tokenUrl = `${sandboxUrl}/oauth/token`;

let merchant: Merchant;
beforeAll(async () => {
  merchant = await registerMerchant(sandboxUrl);
});

const credentials = (fields: Record<string, string> = {}) =>
  postAs(merchant, "/oauth/token", { form: { grant_type: "client_credentials", ...fields } });

/** Sends a form that may contain a parameter twice. */
const sendPairs = async (pairs: readonly [string, string][], headers: Record<string, string> = {}) => {
  const own: [string, string][] = [
    ["client_assertion_type", assertionType],
    ["client_assertion", await signAssertion(merchant, sandboxUrl)],
  ];
  const body = new URLSearchParams([...own, ...pairs]).toString();
  return send(tokenUrl, { method: "POST", headers: { "content-type": formType, ...headers }, body });
};

describe("RFC 6749 §3.2: parameters", () => {
  test.each(["grant_type", "scope", "client_id", "client_assertion", "client_assertion_type", "code", "unheard_of"])(
    "refuses a repeated %s with invalid_request, even if both values are the same (docs/spec/oauth.md, Forms and query parameters)",
    async (name) => {
      const value = { grant_type: "client_credentials", client_id: merchant.id, scope: "charges.read" }[name] ?? "x";
      const pairs: [string, string][] = name === "grant_type" ? [] : [["grant_type", "client_credentials"]];
      expectOAuthError(await sendPairs([...pairs, [name, value], [name, value]]), 400, "invalid_request");
      expectOAuthError(await sendPairs([...pairs, [name, value], [name, ""]]), 400, "invalid_request");
    },
  );

  test("treats an empty value as absent: scope, resource, client_id, code", async () => {
    const answer = await credentials({ scope: "", resource: "", client_id: "", code: "" });
    expect(answer.json).toMatchObject({ scope: merchant.registration["scope"] });
  });

  test("ignores an unknown parameter of any name", async () => {
    const answer = await credentials({ unheard_of: "1", __proto__x: "1", constructor: "1", audience: "any" });
    expect(answer.status, answer.text).toBe(200);
  });

  test("ignores parameters in the query", async () => {
    const path = "/oauth/token?grant_type=client_credentials&scope=charges.read";
    expectOAuthError(await postAs(merchant, path, { form: {} }), 400, "invalid_request");
  });

  test("accepts a form with any parameters of its media type and any escaping of names and values (Appendix B)", async () => {
    const assertion = await signAssertion(merchant, sandboxUrl);
    const fields = `client_assertion_type=${encodeURIComponent(assertionType)}&client_assertion=${assertion}`;
    const body = `grant%5Ftype=client%5fcredentials&scope=charges.read+charges%2Ewrite&${fields}`;
    const headers = { "content-type": "Application/X-WWW-Form-URLEncoded; charset=UTF-8" };
    const answer = await send(tokenUrl, { method: "POST", headers, body });
    expect(answer.json).toMatchObject({ scope: "charges.read charges.write" });
  });

  test("refuses an empty form with invalid_client", async () => {
    expectOAuthError(await postForm(tokenUrl, {}), 401, "invalid_client");
  });

  test("accepts only POST", async () => {
    expectOAuthError(await send(`${tokenUrl}?grant_type=client_credentials`), 405);
  });
});

describe("RFC 6749 §2.3: a client authenticates in one way, and never in the query", () => {
  test.each(["client_assertion", "client_secret"])(
    "refuses %s in the query, even with a valid body (§2.3.1)",
    async (name) => {
      const answer = await postAs(merchant, `/oauth/token?${name}=x`, { form: { grant_type: "client_credentials" } });
      expectOAuthError(answer, 401, "invalid_client");
    },
  );

  test("refuses client_secret, alone or with an assertion, because clients have no secrets", async () => {
    const fields = { grant_type: "client_credentials", client_id: merchant.id, client_secret: "x" };
    expectOAuthError(await postForm(tokenUrl, fields), 401, "invalid_client");
    expectOAuthError(await credentials({ client_secret: "x" }), 401, "invalid_client");
  });

  test("refuses client_id alone, because there are no public clients", async () => {
    const fields = { grant_type: "client_credentials", client_id: merchant.id };
    expectOAuthError(await postForm(tokenUrl, fields), 401, "invalid_client");
  });

  test.each([
    ["Basic", "Basic Y2w6c2VjcmV0"],
    ["Bearer", "Bearer x"],
    ["DPoP", "DPoP x"],
    ["basic", "basic Og=="],
  ])(
    "refuses Authorization: %s, even with an assertion, and WWW-Authenticate has the same scheme (§5.2)",
    async (scheme, authorization) => {
      const answer = await sendPairs([["grant_type", "client_credentials"]], { authorization });
      expectOAuthError(answer, 401, "invalid_client");
      expect(answer.headers.get("www-authenticate")).toMatch(new RegExp(`^${scheme} realm="`));
    },
  );
});
