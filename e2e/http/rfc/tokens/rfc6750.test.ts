import { beforeAll, describe, expect, test } from "vitest";
import { expectProblem } from "../../../support/answers/error-shape.ts";
import { type Answer, formType, postForm, send } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import * as flow from "../../../support/oauth/mandate-flow.ts";
import { clientToken } from "../../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();
const url = `${sandboxUrl}/merchant_test/charges`;

let mandate: flow.ChargeableMandate;
let token: string;
beforeAll(async () => {
  mandate = await flow.makeChargeableMandate(sandboxUrl);
  token = mandate.merchantToken;
});

const read = (authorization: string, to = url) => send(to, { headers: { authorization } });
const challengeOf = (answer: Answer) => answer.headers.get("www-authenticate") ?? "";

describe("RFC 6750 §2: where a token may be sent", () => {
  test.each(["Bearer", "bearer", "BEARER"])(
    "accepts it in the header, with the scheme %s (RFC 9110 §11.1)",
    async (scheme) => {
      expect((await read(`${scheme} ${token}`)).status).toBe(200);
    },
  );

  test("refuses a token in the query, alone or with the header: invalid_request (§2.3, RFC 9700 §4.3.2)", async () => {
    expectProblem(await send(`${url}?access_token=${token}`), 400, "invalid_request");
    expectProblem(await read(`Bearer ${token}`, `${url}?access_token=${token}`), 400, "invalid_request");
  });

  test("ignores a token in a form (§2.2)", async () => {
    const path = `${sandboxUrl}/merchant_test/verify-mandate`;
    const answer = await postForm(path, { access_token: token }, { "content-type": formType });
    expect([401, 415]).toContain(answer.status);
  });

  test.each(["", "Bearer", "Bearer ", "Bearer a b", "Bearer ä", `Token x`, `Basic dTpw`, `Bearer,x`, `"Bearer" x`])(
    "responds with 401 to the Authorization header %j, which has no valid token",
    async (authorization) => {
      const answer = await read(Buffer.from(authorization, "utf8").toString("latin1"));
      expectProblem(answer, 401, "invalid_token");
    },
  );
});

describe("RFC 6750 §3: the challenge", () => {
  test("names the scheme and the resource metadata, and no error, if a request has no authentication (§3.1, RFC 9728 §5.1)", async () => {
    for (const path of ["/merchant_test/charges", `/oauth/mandates/${mandate.mandateId}/charges`]) {
      const answer = await send(`${sandboxUrl}${path}`);
      expect(answer.status).toBe(401);
      expect(challengeOf(answer)).toMatch(/(^|, )Bearer /);
      expect(challengeOf(answer)).not.toContain("error");
      expect(challengeOf(answer)).toContain("resource_metadata=");
    }
  });

  test('contains error="invalid_token" for both schemes if the token is invalid', async () => {
    const answer = await read("Bearer x");
    expect(answer.status).toBe(401);
    expect(challengeOf(answer).match(/error="invalid_token"/g)).toHaveLength(2);
  });

  test.each([
    ["/merchant_test/charge", "charges.write"],
    ["/merchant_test/verify-mandate", "mandates.verify"],
  ])(
    "%s responds with 403 insufficient_scope to a token that lacks the required scope, and names the scope %s (§3.1)",
    async (path, scope) => {
      const merchantToken = await clientToken(mandate.merchant, { scope: "charges.read" });
      const answer = await flow.merchantPost({ ...mandate, merchantToken }, path, {
        body: {},
        headers: { "idempotency-key": "x" },
      });
      expectProblem(answer, 403, "insufficient_scope");
      expect(challengeOf(answer)).toContain('error="insufficient_scope"');
      expect(challengeOf(answer)).toContain(`scope="${scope}"`);
    },
  );

  test("contains each attribute once, with only the characters that §3 allows", async () => {
    for (const answer of [await read("Bearer x"), await send(url), await read(`DPoP ${token}`)]) {
      for (const challenge of challengeOf(answer).split(/, (?=(?:DPoP|Bearer) )/)) {
        const attributes = [...challenge.matchAll(/(\w+)="([^"]*)"/g)];
        expect(new Set(attributes.map(([, name]) => name)).size).toBe(attributes.length);
        for (const [, , value] of attributes) expect(value).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/);
      }
    }
  });
});

describe("RFC 6750: other tokens, and caching of responses", () => {
  test("refuses a refresh token (RFC 6749 §1.5)", async () => {
    expectProblem(await read(`Bearer ${mandate.refreshToken}`), 401, "invalid_token");
  });

  test("responses to requests with a token can't be stored by shared caches (RFC 9111 §3.5)", async () => {
    expect((await read(`Bearer ${token}`)).headers.get("cache-control")).toMatch(/no-store|private/);
    expect(
      (await flow.agentGet(mandate, `/oauth/mandates/${mandate.mandateId}/charges`)).headers.get("cache-control"),
    ).toMatch(/no-store|private/);
  });
});
