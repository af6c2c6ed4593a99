import { decodeJwt } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectProblem } from "../../support/answers/error-shape.ts";
import { type Answer, send, textOf } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import { type FapiClient, grantTokens, registerPair } from "../../support/oauth/fapi-clients.ts";
import { mandateIdOf } from "../../support/oauth/mandate-flow.ts";
import { makeKey, signProof } from "../../support/oauth/oauth-client.ts";
import { type Party, postAs, registerAgent } from "../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();
const charges = `${sandboxUrl}/merchant_test/charges`;

let first: FapiClient;
let bot: Party;
beforeAll(async () => {
  [first] = await registerPair(sandboxUrl);
  const metadata = { grant_types: ["authorization_code", "client_credentials"] };
  bot = await registerAgent(sandboxUrl, { metadata });
});

const claimsOf = (answer: Answer) => decodeJwt(textOf(answer, "access_token"));
const credentials = (party: Party, dpop = first.dpop) =>
  postAs(party, "/oauth/token", { form: { grant_type: "client_credentials" }, dpop });

describe("subject and audience of a token (docs/spec/oauth.md, Clients, scopes and resources)", () => {
  test("a client's own token: sub is its client_id, aud is the resource to which its scopes belong, and authorization_details is absent", async () => {
    const own = claimsOf(await credentials(first.merchant));
    expect(own).toMatchObject({ sub: first.merchant.id, client_id: first.merchant.id, iss: sandboxUrl });
    expect(own.aud).toBe(`${sandboxUrl}/merchant_test`);
    expect(own).not.toHaveProperty("authorization_details");
    expect(claimsOf(await credentials(bot))).toMatchObject({
      sub: bot.id,
      aud: sandboxUrl,
      scope: "grant_management_query grant_management_revoke",
    });
  });

  test("the prefix of an id shows whether it is a client, merchant, mandate or grant", async () => {
    const granted = await grantTokens(first);
    const ids = [
      first.id,
      first.merchant.id,
      first.merchant.merchantId,
      mandateIdOf(granted),
      granted.json?.["grant_id"],
    ];
    expect(ids.map((id) => String(id).replace(/_[^_]+$/, ""))).toEqual(["cl_test", "cl_test", "mch", "mdt", "grt"]);
  });
});

describe("/merchant_test accepts only merchants' own tokens (docs/spec/oauth.md, Clients, scopes and resources)", () => {
  const readWith = async (answer: Answer) => {
    const [accessToken, key] = [textOf(answer, "access_token"), first.dpop];
    const dpop = await signProof(key, { method: "GET", url: charges, accessToken });
    return send(charges, { headers: { authorization: `DPoP ${accessToken}`, dpop } });
  };

  test("accepts a merchant's token, bound or not", async () => {
    expect((await readWith(await credentials(first.merchant))).status).toBe(200);
    const bearer = await postAs(first.merchant, "/oauth/token", { form: { grant_type: "client_credentials" } });
    const headers = { authorization: `Bearer ${textOf(bearer, "access_token")}` };
    expect((await send(charges, { headers })).status).toBe(200);
  });

  test("refuses an agent's own token and a payer's token with 401 invalid_token", async () => {
    for (const answer of [await credentials(bot), await grantTokens(first)]) {
      expectProblem(await readWith(answer), 401, "invalid_token");
    }
  });

  test("refuses a merchant's token with a proof by another key: 401 invalid_token", async () => {
    expectProblem(await readWith(await credentials(first.merchant, await makeKey())), 401, "invalid_token");
  });
});
