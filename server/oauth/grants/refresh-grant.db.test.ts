import { calculateJwkThumbprint, decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey } from "#e2e/support/oauth/oauth-client.ts";
import { introspectAs } from "#e2e/support/oauth/pending-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { newId } from "../../kernel/ids.ts";
import type { PaymentMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";
import { activateMandates } from "../../mandates/lifecycle/activate-mandates.ts";
import { narrowMandate } from "../../mandates/lifecycle/narrow-mandate.ts";
import { revokeMandate } from "../../mandates/lifecycle/revoke-mandate.ts";
import { refreshTokenSeconds } from "../rules/tokens/tokens.ts";
import { revokeToken } from "../tokens/revoke-token.ts";
import { exchangeCode } from "./exchange-code.ts";
import { forgetSuccessors } from "./forget-refresh-successors.ts";
import {
  codeFields,
  errorOf,
  grantTo,
  info,
  makeParties,
  type Parties,
  refreshFields,
  tokenRequest,
} from "./granted.fixture.ts";
import type { TokenResponse } from "./issue-grant-tokens.ts";
import { refreshGrant } from "./refresh-grant.ts";

let deps: TestDeps;
let fapi: Parties;
let rotating: Parties;
beforeAll(async () => {
  deps = await createTestDeps();
  [fapi, rotating] = await Promise.all([makeParties(deps), makeParties(deps, { dpopBound: false })]);
});
afterAll(() => deps.close());

const refresh = async (parties: Parties, secret: string, fields: Record<string, string> = {}) =>
  refreshGrant(deps, await tokenRequest(deps, parties, refreshFields(secret, fields)));

const successorOf = ({ refresh_token: successor }: TokenResponse): string => successor ?? "none";

const introspect = (parties: Parties, token: string) => introspectAs(deps, parties.agent, token);
const isActive = async (parties: Parties, token: string) => (await introspect(parties, token)).active;

const mandateState = async (mandateId: string) =>
  (await deps.db.prisma.mandate.findUniqueOrThrow({ where: { id: mandateId } })).state;

const unrevoked = (grantId: string) => deps.db.prisma.refreshToken.count({ where: { grantId, revokedAt: null } });

const settled = async (attempts: Promise<TokenResponse>[]): Promise<TokenResponse[]> =>
  (await Promise.allSettled(attempts)).flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));

describe("a FAPI client's refresh token (FAPI 2.0 §5.3.2.1)", () => {
  test("isn't rotated; each new access token is bound to the key of its request's proof (RFC 9449 §5)", async () => {
    const secret = await (await grantTo(deps, fapi)).refreshToken();
    const keys = await Promise.all([makeKey(), makeKey()]);
    for (const key of keys) {
      const answer = await refresh({ ...fapi, key }, secret);
      expect(answer).not.toHaveProperty("refresh_token");
      expect(decodeJwt(answer.access_token)["cnf"]).toEqual({ jkt: await calculateJwkThumbprint(key.publicJwk) });
    }
  });

  test("needs a proof", async () => {
    const secret = await (await grantTo(deps, fapi)).refreshToken();
    const request = await tokenRequest(deps, { ...fapi, key: null }, refreshFields(secret));
    expect(await errorOf(refreshGrant(deps, request))).toBe("invalid_dpop_proof");
  });

  test("works for 50 concurrent requests", async () => {
    const secret = await (await grantTo(deps, fapi)).refreshToken();
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(fapi, secret)));
    expect(new Set(answers.map((answer) => answer.access_token)).size).toBe(50);
  });

  test("leaves no live token if the reuse of a code ends the grant's tokens at the same time", async () => {
    for (let round = 0; round < 25; round++) {
      const { code, grantId, mandateId } = await grantTo(deps, fapi);
      const form = codeFields(await code());
      const first = await exchangeCode(deps, await tokenRequest(deps, fapi, form));
      const [answers, reuse] = await Promise.all([
        settled(Array.from({ length: 6 }, () => refresh(fapi, successorOf(first)))),
        tokenRequest(deps, fapi, form).then((request) => errorOf(exchangeCode(deps, request))),
      ]);
      expect(reuse).toBe("invalid_grant");
      for (const answer of [first, ...answers]) expect(await isActive(fapi, answer.access_token)).toBe(false);
      expect([await unrevoked(grantId), await mandateState(mandateId)]).toEqual([0, "active"]);
    }
  });
});

describe("any other client's refresh token is rotated (docs/spec/oauth.md, Refresh tokens)", () => {
  test("50 identical concurrent requests get the same successor, and each gets its own access token", async () => {
    const secret = await (await grantTo(deps, rotating)).refreshToken();
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(rotating, secret)));
    expect(new Set(answers.map(successorOf)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.access_token)).size).toBe(50);
    for (const { access_token: token } of answers) expect(await isActive(rotating, token)).toBe(true);
  });

  test("an identical retry within 30 seconds gets the same successor, while the successor is unused", async () => {
    const { refreshToken, mandateId } = await grantTo(deps, rotating);
    const secret = await refreshToken();
    const fields = { authorization_details: JSON.stringify([{ type: "payment_mandate_v1", identifier: mandateId }]) };
    const first = await refresh(rotating, secret, fields);
    deps.clock.advance(30);
    expect(successorOf(await refresh(rotating, secret, fields))).toBe(successorOf(first));
    expect(await isActive(rotating, successorOf(first))).toBe(true);
  });

  const reuses: [string, (secret: string, successor: string) => Promise<unknown>, Record<string, string>][] = [
    ["after 30 seconds", async () => deps.clock.advance(31), {}],
    ["after the successor was used", (_secret, successor) => refresh(rotating, successor), {}],
    ["with other details", async () => {}, { authorization_details: "own" }],
    ["with another resource", async () => {}, { resource: "own" }],
  ];
  test.each(reuses)(
    "a retry %s counts as reuse, and ends the grant's tokens but not the mandate",
    async (_title, between, fields) => {
      const { refreshToken, mandateId, grantId } = await grantTo(deps, rotating);
      const secret = await refreshToken();
      const first = await refresh(rotating, secret);
      await between(secret, successorOf(first));
      const own = {
        authorization_details: JSON.stringify([{ type: "payment_mandate_v1", identifier: mandateId }]),
        resource: deps.config.baseUrl,
      };
      const sent = Object.fromEntries(Object.keys(fields).map((name) => [name, own[name as keyof typeof own]]));
      const form = { ...refreshFields(secret), ...sent, ...(sent["resource"] ? { resource: [sent["resource"]] } : {}) };
      const reuse = refreshGrant(deps, await tokenRequest(deps, rotating, form));
      expect(await errorOf(reuse)).toBe("invalid_grant");
      expect(await isActive(rotating, first.access_token)).toBe(false);
      expect(await isActive(rotating, successorOf(first))).toBe(false);
      expect(await errorOf(refresh(rotating, successorOf(first)))).toBe("invalid_grant");
      expect([await unrevoked(grantId), await mandateState(mandateId)]).toEqual([0, "active"]);
    },
  );

  test("50 concurrent requests, half of them with other details, get at most one successor, and no token survives the reuse", async () => {
    for (let round = 0; round < 5; round++) {
      const { refreshToken, mandateId, grantId } = await grantTo(deps, rotating);
      const secret = await refreshToken();
      const other = { authorization_details: JSON.stringify([{ type: "payment_mandate_v1", identifier: mandateId }]) };
      const answers = await settled(
        Array.from({ length: 50 }, (_, index) => refresh(rotating, secret, index % 2 ? other : {})),
      );
      expect(new Set(answers.map(successorOf)).size).toBeLessThanOrEqual(1);
      for (const { access_token: token } of answers) expect(await isActive(rotating, token)).toBe(false);
      expect(await unrevoked(grantId)).toBe(0);
    }
  });

  test("a rotation concurrent with the reuse of an older token leaves no live successor", async () => {
    for (let round = 0; round < 40; round++) {
      const { refreshToken, grantId } = await grantTo(deps, rotating);
      const oldest = await refreshToken();
      const second = successorOf(await refresh(rotating, oldest));
      const third = successorOf(await refresh(rotating, second));
      const [answers] = await Promise.all([settled([refresh(rotating, third)]), errorOf(refresh(rotating, oldest))]);
      for (const { access_token: token } of answers) expect(await isActive(rotating, token)).toBe(false);
      expect(await unrevoked(grantId)).toBe(0);
    }
  });

  test("a rotated token is still refused as used after its client becomes a FAPI client", async () => {
    const changing = await makeParties(deps, { dpopBound: false });
    const secret = await (await grantTo(deps, changing)).refreshToken();
    await refresh(changing, secret);
    deps.clock.advance(31);
    const bound = { ...changing, agent: { ...changing.agent, dpopBound: true } };
    expect(await errorOf(refresh(bound, secret))).toBe("invalid_grant");
  });

  test("a token that expires during the request is refused, and doesn't count as reuse", async () => {
    const { refreshToken, grantId } = await grantTo(deps, rotating);
    const secret = await refreshToken();
    deps.clock.advance(refreshTokenSeconds - 1);
    const request = await tokenRequest(deps, rotating, refreshFields(secret));
    const slow = {
      ...request,
      readProof: (client: Parameters<typeof request.readProof>[0]) => {
        deps.clock.advance(1);
        return request.readProof(client);
      },
    };
    expect(await errorOf(refreshGrant(deps, slow))).toBe("invalid_grant");
    expect(await unrevoked(grantId)).toBe(1);
    deps.clock.advance(-refreshTokenSeconds);
  });

  test("the sealed successor is deleted when the successor is used, or after 30 seconds", async () => {
    const { refreshToken, grantId } = await grantTo(deps, rotating);
    const sealed = () => deps.db.prisma.refreshToken.count({ where: { grantId, successorSealed: { not: null } } });
    const first = await refresh(rotating, await refreshToken());
    expect(await sealed()).toBe(1);
    await refresh(rotating, successorOf(first));
    // The first sealed successor is deleted when that successor is used, the second one after 30 seconds.
    expect(await sealed()).toBe(1);
    deps.clock.advance(30);
    await forgetSuccessors(deps, { limit: 1_000 });
    expect(await sealed()).toBe(1);
    deps.clock.advance(1);
    await forgetSuccessors(deps, { limit: 1_000 });
    expect(await sealed()).toBe(0);
  });
});

describe("a request with a refresh token", () => {
  test("may narrow details for one access token; the refresh token keeps all details", async () => {
    const { refreshToken, mandateId } = await grantTo(deps, fapi, { max_total_amount: 900 });
    const secret = await refreshToken();
    const refreshWith = (change: object) =>
      refresh(fapi, secret, {
        authorization_details: JSON.stringify([{ type: "payment_mandate_v1", identifier: mandateId, ...change }]),
      });
    expect((await refreshWith({ max_total_amount: 90 })).authorization_details).toMatchObject([
      { max_total_amount: 90 },
    ]);
    expect((await refreshWith({})).authorization_details).toMatchObject([{ max_total_amount: 900 }]);
    expect(await errorOf(refreshWith({ max_total_amount: 901 }))).toBe("invalid_authorization_details");
  });

  test.each([
    ["an empty list", "[]"],
    ["text that isn't JSON", "["],
    ["an object instead of a list", "{}"],
    [
      "two equal items, each with 3,500 nested lists",
      `[${Array(2)
        .fill(`{"z":${"[".repeat(3500)}${"]".repeat(3500)}}`)
        .join()}]`,
    ],
    ["an unknown mandate", '[{"type":"payment_mandate_v1","identifier":"mdt_unknown"}]'],
    ["no identifier", '[{"type":"payment_mandate_v1"}]'],
  ])(
    "with %s as details is refused with invalid_authorization_details, and the token still works",
    async (_title, details) => {
      const secret = await (await grantTo(deps, rotating)).refreshToken();
      expect(await errorOf(refresh(rotating, secret, { authorization_details: details }))).toBe(
        "invalid_authorization_details",
      );
      expect(await errorOf(refresh(rotating, secret))).toBe("none");
    },
  );

  test("gets invalid_scope for a scope that wasn't granted, and invalid_target for another resource", async () => {
    const secret = await (await grantTo(deps, rotating)).refreshToken();
    expect(await errorOf(refresh(rotating, secret, { scope: "grant_management_query" }))).toBe("invalid_scope");
    const form = { ...refreshFields(secret), resource: ["https://other.example"] };
    expect(await errorOf(refreshGrant(deps, await tokenRequest(deps, rotating, form)))).toBe("invalid_target");
    expect(await errorOf(refresh(rotating, secret))).toBe("none");
  });

  test("of another client is refused as unknown, and doesn't count as reuse", async () => {
    const { refreshToken, grantId } = await grantTo(deps, rotating);
    const secret = await refreshToken();
    await refresh(rotating, secret);
    deps.clock.advance(31);
    expect(await errorOf(refresh(fapi, secret))).toBe("invalid_grant");
    expect(await unrevoked(grantId)).toBe(2);
  });
});

describe("a grant may contain several mandates (docs/spec/payments.md, Mandate states)", () => {
  test("later tokens don't contain a mandate in a final state, and the grant ends with its last mandate", async () => {
    const { refreshToken, grantId, mandateId } = await grantTo(deps, fapi);
    const other = newId("mdt");
    const { payer, agent, merchant } = fapi;
    const details = {
      ...({ type: "payment_mandate_v1", actions: ["verify", "charge"], currency: "EUR" } as const),
      max_total_amount: 700,
      payees: [{ id: merchant.id }],
    } satisfies PaymentMandateDetails;
    await deps.db.transaction((tx) =>
      activateMandates(deps, tx, {
        requestId: "r",
        grantId,
        clientId: agent.id,
        payerId: payer.id,
        budgetVisible: false,
        paymentMethodId: payer.paymentMethodId,
        details: [details],
        mandateIds: [other],
        now: deps.clock.now(),
      }),
    );
    const secret = await refreshToken();
    const idsIn = async () => {
      const { authorization_details: granted = [] } = decodeJwt((await refresh(fapi, secret)).access_token);
      return (granted as { identifier: string }[]).map(({ identifier }) => identifier).sort();
    };
    const revoke = (id: string) =>
      revokeMandate(deps, { mandateId: id, actor: { kind: "payer", id: payer.id }, requestId: "r" });
    expect(await idsIn()).toEqual([mandateId, other].sort());
    await revoke(mandateId);
    expect(await idsIn()).toEqual([other]);
    await revoke(other);
    expect(await errorOf(refresh(fapi, secret))).toBe("invalid_grant");
  });
});

describe("the lifetime of a refresh token (docs/spec/oauth.md, Refresh tokens)", () => {
  const issued = async (limits: Parameters<typeof grantTo>[2]) => {
    const granted = await grantTo(deps, fapi, limits);
    const answer = await exchangeCode(deps, await tokenRequest(deps, fapi, codeFields(await granted.code())));
    const row = await deps.db.prisma.refreshToken.findFirstOrThrow({ where: { grantId: granted.grantId } });
    return { ...granted, secret: successorOf(answer), expiresAt: row.expiresAt };
  };
  const inDays = (days: number) => new Date(deps.clock.now().getTime() + days * 86_400_000);

  test("ends with its mandate", async () => {
    const until = inDays(20).toISOString();
    expect((await issued({ valid_until: until })).expiresAt.toISOString()).toBe(until);
  });

  test("ends after a year if the mandate continues", async () => {
    const limits = { valid_from: inDays(200).toISOString(), valid_until: inDays(500).toISOString() };
    expect((await issued(limits)).expiresAt).toEqual(inDays(365));
  });

  test("ends at exactly the mandate's new end if the payer moved it to an earlier time", async () => {
    const { secret, mandateId } = await issued({});
    const until = inDays(1);
    await narrowMandate(deps, {
      mandateId,
      actor: { kind: "payer", id: fapi.payer.id },
      requestId: "req_test",
      narrowing: { valid_until: until.toISOString() },
    });
    expect(await introspect(fapi, secret)).toMatchObject({ active: true, exp: Math.floor(until.getTime() / 1000) });
    deps.clock.set(until);
    expect(await errorOf(refresh(fapi, secret))).toBe("invalid_grant");
    expect(await introspect(fapi, secret)).toEqual({ active: false });
  });

  test("an access token ends when the first of its mandates ends, or earlier", async () => {
    const { secret, mandateId } = await issued({ valid_until: inDays(2).toISOString() });
    const until = new Date(deps.clock.now().getTime() + 100_000).toISOString();
    const refreshWith = (valid_until: string) =>
      refresh(fapi, secret, {
        authorization_details: JSON.stringify([{ type: "payment_mandate_v1", identifier: mandateId, valid_until }]),
      });
    const { expires_in: seconds } = await refreshWith(until);
    expect(seconds).toBeGreaterThan(98);
    expect(seconds).toBeLessThanOrEqual(100);
    expect(await errorOf(refreshWith("2020-01-01T00:00:00Z"))).toBe("invalid_authorization_details");
    deps.clock.set(new Date(inDays(2).getTime() - 200_000));
    expect((await refresh(fapi, secret)).expires_in).toBeLessThanOrEqual(200);
  });

  test("revoking a refresh token ends the mandate, and also tokens that are issued at the same time", async () => {
    for (let round = 0; round < 10; round++) {
      const { secret, grantId, mandateId } = await issued({});
      const [answers] = await Promise.all([
        settled(Array.from({ length: 5 }, () => refresh(fapi, secret))),
        revokeToken(deps, { client: fapi.agent, token: secret, info }),
      ]);
      for (const { access_token: token } of answers) expect(await isActive(fapi, token)).toBe(false);
      expect([await unrevoked(grantId), await mandateState(mandateId)]).toEqual([0, "revoked"]);
    }
  });
});
