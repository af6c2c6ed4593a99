import { beforeAll, describe, expect, test } from "vitest";
import { expectErrorPage, expectOAuthError, expectProblem } from "../../support/answers/error-shape.ts";
import { type Answer, send, textOf } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import {
  authorize,
  chargesUrl,
  type FapiClient,
  grantTokens,
  push,
  readResource,
  redeem,
  registerPair,
} from "../../support/oauth/fapi-clients.ts";
import { charge, mandateIdOf } from "../../support/oauth/mandate-flow.ts";
import { signProof } from "../../support/oauth/oauth-client.ts";
import { clientToken, postAs, registerMerchant } from "../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();
const silent = '{"active":false}';

let mine: FapiClient;
let theirs: FapiClient;
let granted: Answer;
let foreign: Answer;
beforeAll(async () => {
  [mine, theirs] = await registerPair(sandboxUrl);
  [granted, foreign] = [await grantTokens(mine), await grantTokens(theirs)];
});

describe("a client can't use what belongs to another client (docs/spec/oauth.md)", () => {
  test("shows an error page without a redirect for another client's request_uri", async () => {
    const { requestUri } = await push(theirs);
    const query = new URLSearchParams({ client_id: mine.id, request_uri: requestUri });
    expectErrorPage(await send(`${sandboxUrl}/oauth/authorize?${query}`), 400);
  });

  test("refuses another client's code like an unknown code: invalid_grant, even with the code's redirect URI and key", async () => {
    const code = await authorize(theirs);
    const stolen = await redeem(mine, code, {
      fields: { redirect_uri: theirs.redirectUri },
      posting: { dpop: theirs.dpop },
    });
    const unknown = await redeem(mine, { ...code, code: "unknown" });
    expectOAuthError(stolen, 400, "invalid_grant");
    expect(stolen.text).toBe(unknown.text);
  });

  test("refuses another client's refresh token like an unknown token: invalid_grant, even with the token's key", async () => {
    const refresh = (refresh_token: string) =>
      postAs(mine, "/oauth/token", { form: { grant_type: "refresh_token", refresh_token }, dpop: theirs.dpop });
    const stolen = await refresh(textOf(foreign, "refresh_token"));
    expectOAuthError(stolen, 400, "invalid_grant");
    expect(stolen.text).toBe((await refresh("unknown")).text);
  });

  test("responds to a request for another client's mandate as if the mandate didn't exist", async () => {
    const accessToken = textOf(granted, "access_token");
    const read = async (url: string) => {
      const dpop = await signProof(mine.dpop, { method: "GET", url, accessToken });
      return send(url, { headers: { authorization: `DPoP ${accessToken}`, dpop } });
    };
    const [stolen, unknown] = [
      await read(chargesUrl(theirs, foreign)),
      await read(`${sandboxUrl}/oauth/mandates/mdt_unknown/charges`),
    ];
    expectOAuthError(stolen, 404);
    expect([stolen.status, stolen.text]).toEqual([unknown.status, unknown.text]);
    expect((await readResource(mine, granted)).status).toBe(200);
  });

  test("introspects another client's token like an unknown token (RFC 7662 §2.2)", async () => {
    const { merchant } = theirs;
    const tokens = [textOf(foreign, "access_token"), textOf(foreign, "refresh_token"), await clientToken(merchant)];
    for (const token of [...tokens, "unknown", `${tokens[0]}x`, "a.b.c"]) {
      for (const token_type_hint of ["access_token", "refresh_token", "urn:unknown"]) {
        const answer = await postAs(mine, "/oauth/introspect", { form: { token, token_type_hint } });
        expect([answer.status, answer.text]).toEqual([200, silent]);
      }
    }
  });

  test("doesn't revoke another client's token (RFC 7009 §2.1)", async () => {
    for (const token of [textOf(foreign, "access_token"), textOf(foreign, "refresh_token")]) {
      await postAs(mine, "/oauth/revoke", { form: { token } });
      expect((await postAs(theirs, "/oauth/introspect", { form: { token } })).json).toMatchObject({ active: true });
    }
  });
});

test("a mandate that names one merchant is unknown to another merchant (docs/spec/payments.md, Who may use a mandate)", async () => {
  const stranger = await registerMerchant(sandboxUrl);
  const merchantToken = await clientToken(stranger);
  const answer = await charge({ merchant: stranger, merchantToken, mandateId: mandateIdOf(granted) });
  expectProblem(answer, 404, "mandate_not_found");
});
