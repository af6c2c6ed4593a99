import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeMerchant, makeMerchantClient } from "#e2e/support/factories.ts";
import { makeKey, type Signer } from "#e2e/support/oauth/oauth-client.ts";
import { introspectAs } from "#e2e/support/oauth/pending-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { endGrantTokens } from "../../data/oauth/grants.ts";
import { newId } from "../../kernel/ids.ts";
import type { PaymentMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";
import { activateMandates } from "../../mandates/lifecycle/activate-mandates.ts";
import { narrowMandate } from "../../mandates/lifecycle/narrow-mandate.ts";
import { revokeMandate } from "../../mandates/lifecycle/revoke-mandate.ts";
import { suspendMandate } from "../../mandates/lifecycle/suspend-mandate.ts";
import { accessTokenType, tokenExchangeGrant } from "../rules/tokens/token-exchange.ts";
import { revokeToken } from "../tokens/revoke-token.ts";
import { verifyAccessTokenJwt } from "../tokens/verify-access-token-jwt.ts";
import { exchangeToken } from "./exchange-token.ts";
import { errorOf, grantTo, info, loadClient, makeParties, type Parties, tokenRequest } from "./granted.fixture.ts";

let deps: TestDeps;
let parties: Parties;
let granted: Awaited<ReturnType<typeof grantTo>>;
beforeAll(async () => {
  deps = await createTestDeps();
  parties = await makeParties(deps);
});
beforeEach(async () => {
  granted = await grantTo(deps, parties, { max_total_amount: 9_000 });
});
afterAll(() => deps.close());

type Fields = Record<string, string | readonly string[]>;
const form = (subjectToken: string, fields: Fields = {}): Fields => ({
  grant_type: tokenExchangeGrant,
  subject_token: subjectToken,
  subject_token_type: accessTokenType,
  audience: [parties.merchant.id],
  ...fields,
});

const exchange = async (subjectToken: string, fields: Fields = {}, key: Signer | null = parties.key) =>
  exchangeToken(deps, await tokenRequest(deps, { ...parties, key }, form(subjectToken, fields)));

const isActive = async (token: string): Promise<boolean> => (await introspectAs(deps, parties.agent, token)).active;

const payerActs = (mandateId: string) => ({
  mandateId,
  requestId: "req_test",
  actor: { kind: "payer", id: parties.payer.id } as const,
});

describe("the mandate token (docs/spec/oauth.md, Token exchange)", () => {
  test("has the payer and the key of its subject token, one merchant and a spend_id", async () => {
    const subject = await granted.accessToken();
    const answer = await exchange(subject);
    expect(answer).toMatchObject({
      issued_token_type: accessTokenType,
      token_type: "DPoP",
      expires_in: 300,
      grant_id: granted.grantId,
      authorization_details: [{ identifier: granted.mandateId, max_total_amount: 9_000 }],
    });
    expect(answer).not.toHaveProperty("refresh_token");
    expect(decodeProtectedHeader(answer.access_token)).toMatchObject({ alg: "ES256", typ: "paygrant-mandate+jwt" });
    const before = decodeJwt(subject);
    const { jti, iat, exp, spend_id, ...claims } = decodeJwt(answer.access_token);
    const { jti: subjectJti, iat: _iat, exp: _exp, ...inherited } = before;
    expect(claims).toEqual({ ...inherited, aud: parties.merchant.id });
    expect(claims["cnf"]).toEqual({ jkt: await calculateJwkThumbprint(parties.key.publicJwk) });
    expect(Number(exp) - Number(iat)).toBe(300);
    expect(jti).not.toBe(subjectJti);
    expect(spend_id).toMatch(/^spd_\w{24}$/);
    const entries = await deps.db.prisma.$queryRaw`SELECT data FROM audit_entry WHERE data->>'jti' = ${jti}`;
    expect(entries).toMatchObject([{ data: { subject_jti: subjectJti, spend_id, audience: parties.merchant.id } }]);
  });

  test("expires no later than its subject token", async () => {
    const subject = await granted.accessToken({ lifetimeSeconds: 40 });
    const answer = await exchange(subject);
    expect(answer.expires_in).toBeLessThanOrEqual(40);
    expect(decodeJwt(answer.access_token).exp).toBe(decodeJwt(subject).exp);
  });

  test("expires no later than its narrowed details", async () => {
    const valid_until = new Date(deps.clock.now().getTime() + 60_000).toISOString();
    const authorization_details = JSON.stringify([
      { type: "payment_mandate_v1", identifier: granted.mandateId, valid_until },
    ]);
    expect((await exchange(await granted.accessToken(), { authorization_details })).expires_in).toBeLessThanOrEqual(60);
  });

  test("isn't an access token and can't be exchanged again", async () => {
    const { access_token: token } = await exchange(await granted.accessToken());
    expect(await verifyAccessTokenJwt(deps, token)).toBeNull();
    expect(await errorOf(exchange(token))).toBe("invalid_request");
  });

  test("has its own spend_id", async () => {
    const subject = await granted.accessToken();
    const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(subject)));
    expect(new Set(answers.map((answer) => decodeJwt(answer.access_token)["spend_id"])).size).toBe(50);
  });

  test("50 concurrent requests with the same proof get one token (RFC 9449 §11.1)", async () => {
    const request = await tokenRequest(deps, parties, form(await granted.accessToken()));
    const codes = await Promise.all(Array.from({ length: 50 }, () => errorOf(exchangeToken(deps, request))));
    expect(codes.toSorted()).toEqual([...Array(49).fill("invalid_dpop_proof"), "none"]);
  });
});

describe("a mandate token (docs/spec/oauth.md, Revocation)", () => {
  const ends: [string, (token: string) => Promise<unknown>][] = [
    ["when it is revoked", (token) => revokeToken(deps, { client: parties.agent, token, info })],
    ["with its grant's tokens", () => endGrantTokens(deps.db.sql, { grantId: granted.grantId, now: deps.clock.now() })],
    ["with its mandate", () => revokeMandate(deps, payerActs(granted.mandateId))],
    ["while its mandate is suspended", () => suspendMandate(deps, payerActs(granted.mandateId))],
    [
      "with the tokens of its client",
      () => deps.db.prisma.client.update({ where: { id: parties.agent.id }, data: { epoch: { increment: 1 } } }),
    ],
  ];
  test.each(ends)("becomes invalid immediately %s", async (_title, end) => {
    const { access_token: token } = await exchange(await granted.accessToken());
    expect(await isActive(token)).toBe(true);
    await end(token);
    expect(await isActive(token)).toBe(false);
  });

  test("stays valid after its subject token is revoked", async () => {
    const subject = await granted.accessToken();
    const { access_token: token } = await exchange(subject);
    await revokeToken(deps, { client: parties.agent, token: subject, info });
    expect(await isActive(token)).toBe(true);
    expect(await errorOf(exchange(subject))).toBe("invalid_request");
  });

  test("isn't live if it was issued while the tokens of its grant were being ended", async () => {
    for (let round = 0; round < 20; round++) {
      const { accessToken, grantId } = await grantTo(deps, parties);
      const subject = await accessToken();
      const [answers] = await Promise.all([
        Promise.allSettled(Array.from({ length: 5 }, () => exchange(subject))),
        endGrantTokens(deps.db.sql, { grantId, now: deps.clock.now() }),
      ]);
      for (const answer of answers) {
        if (answer.status === "fulfilled") expect(await isActive(answer.value.access_token)).toBe(false);
      }
    }
  });
});

describe("a refused subject token consumes no proof (RFC 8693 §2.2.2)", () => {
  const subjects: [string, () => Promise<string>][] = [
    ["that isn't a token", async () => "eyJ"],
    ["that has expired", async () => granted.accessToken({ lifetimeSeconds: 0 })],
    ["that isn't bound to a key", async () => granted.accessToken({ signer: null })],
    [
      "that was revoked",
      async () => {
        const token = await granted.accessToken();
        await revokeToken(deps, { client: parties.agent, token, info });
        return token;
      },
    ],
    [
      "whose mandate has ended",
      async () => {
        const token = await granted.accessToken();
        await revokeMandate(deps, payerActs(granted.mandateId));
        return token;
      },
    ],
    [
      "of another client",
      async () => {
        const others = await makeParties(deps);
        return (await grantTo(deps, others)).accessToken({ signer: parties.key });
      },
    ],
    ["that names no mandate", async () => (await refreshedWithout(granted.mandateId)).accessToken()],
  ];
  test.each(subjects)("a subject token %s is refused with invalid_request", async (_title, makeSubject) => {
    const subject = await makeSubject();
    const request = await tokenRequest(deps, parties, form(subject));
    expect(await errorOf(exchangeToken(deps, request))).toBe("invalid_request");
    const good = await (await grantTo(deps, parties)).accessToken();
    expect(await errorOf(exchangeToken(deps, { ...request, form: form(good) }))).toBe("none");
  });

  /** A token that is issued while a mandate is suspended doesn't name the mandate. */
  const refreshedWithout = async (mandateId: string) => {
    await suspendMandate(deps, payerActs(mandateId));
    return granted;
  };

  test("a proof by another key is refused with invalid_dpop_proof", async () => {
    expect(await errorOf(exchange(await granted.accessToken(), {}, await makeKey()))).toBe("invalid_dpop_proof");
    expect(await errorOf(exchange(await granted.accessToken(), {}, null))).toBe("invalid_dpop_proof");
  });
});

test("a client that may have Bearer tokens can exchange a bound token, but not a Bearer token", async () => {
  const bearers = await makeParties(deps, { dpopBound: false });
  const own = await grantTo(deps, bearers);
  const exchange = async (signer: Signer | null) => {
    const fields = form(await own.accessToken({ signer }), { audience: [bearers.merchant.id] });
    return errorOf(exchangeToken(deps, await tokenRequest(deps, { ...bearers, key: signer }, fields)));
  };
  expect(await exchange(null)).toBe("invalid_request");
  expect(await exchange(bearers.key)).toBe("none");
});

describe("the audience of a mandate token", () => {
  test("can't be an unknown or suspended merchant: invalid_target (RFC 8693 §2.2.2)", async () => {
    const closed = await makeMerchant(deps);
    await deps.db.prisma.merchant.update({ where: { id: closed.id }, data: { suspendedAt: deps.clock.now() } });
    for (const audience of [closed.id, "mch_unknown", parties.agent.id, deps.config.baseUrl]) {
      expect(await errorOf(exchange(await granted.accessToken(), { audience: [audience] }))).toBe("invalid_target");
    }
  });

  test("can introspect the token with any of its clients, as the agent can (docs/spec/oauth.md, Introspection)", async () => {
    const { access_token: token } = await exchange(await granted.accessToken());
    const introspect = (client: Parties["agent"]) => introspectAs(deps, client, token);
    expect(await introspect(parties.merchantClient)).toMatchObject({
      active: true,
      aud: parties.merchant.id,
      client_id: parties.agent.id,
      token_type: "DPoP",
      spend_id: expect.stringMatching(/^spd_/),
    });
    const second = await makeMerchantClient(deps, parties.merchant.id);
    expect((await introspect(await loadClient(deps, second.id))).active).toBe(true);
    const stranger = await makeParties(deps);
    for (const client of [stranger.agent, stranger.merchantClient])
      expect(await introspect(client)).toEqual({ active: false });
    expect(await errorOf(revokeToken(deps, { client: parties.merchantClient, token, info }))).toBe("invalid_grant");
  });
});

describe("the audience must be a payee of the mandate (RFC 8693 §2.2.2)", () => {
  /** @returns the mandates of the mandate token, or the error. */
  const attempt = async (subject: string, audience: string, fields: Fields = {}) =>
    exchange(subject, { audience: [audience], ...fields }).then(
      ({ authorization_details: details }) => details?.map(({ identifier }) => identifier),
      ({ code, description }: { code: string; description: string }) => `${code}: ${description}`,
    );
  const subjectWith = async (payees: PaymentMandateDetails["payees"]) => {
    const { accessToken, mandateId } = await grantTo(deps, parties, { payees });
    return { subject: await accessToken(), mandateId };
  };
  const refused = "invalid_target: the mandate doesn't allow this merchant as audience";

  test("the error for a registered merchant that isn't a payee is the same as for an unknown merchant, in every case", async () => {
    const other = await makeMerchant(deps);
    const suspended = await makeMerchant(deps);
    await deps.db.prisma.merchant.update({ where: { id: suspended.id }, data: { suspendedAt: deps.clock.now() } });
    const subject = await granted.accessToken();
    for (const fields of [
      {},
      { authorization_details: "[]" },
      { authorization_details: '[{"type":"payment_mandate_v1","identifier":"mdt_x"}]' },
    ]) {
      const [unknown, ...known] = await Promise.all(
        ["mch_unknown", other.id, suspended.id].map((audience) => attempt(subject, audience, fields)),
      );
      expect(known).toEqual([unknown, unknown]);
      if (Object.keys(fields).length === 0) expect(unknown).toBe(refused);
    }
  });

  test("a payee category allows merchants that have this category at the moment", async () => {
    const [grocer, pharmacy] = [await makeMerchant(deps, { mcc: "5411" }), await makeMerchant(deps, { mcc: "5912" })];
    const { subject, mandateId } = await subjectWith([{ category: "5411" }]);
    expect(await attempt(subject, grocer.id)).toEqual([mandateId]);
    expect(await attempt(subject, pharmacy.id)).toBe(refused);
    await deps.db.prisma.merchant.update({ where: { id: grocer.id }, data: { mcc: "5912" } });
    expect(await attempt(subject, grocer.id)).toBe(refused);
  });

  test("the audience may be any registered merchant if no payees are named, but never an unknown merchant", async () => {
    const other = await makeMerchant(deps);
    for (const payees of [[], undefined]) {
      const { subject, mandateId } = await subjectWith(payees);
      expect(await attempt(subject, other.id)).toEqual([mandateId]);
      expect(await attempt(subject, "mch_unknown")).toBe(refused);
    }
  });

  test("the audience must also be a payee of the requested details; a refusal consumes no proof", async () => {
    const other = await makeMerchant(deps);
    const { subject, mandateId } = await subjectWith([{ id: parties.merchant.id }, { id: other.id }]);
    const authorization_details = JSON.stringify([
      { type: "payment_mandate_v1", identifier: mandateId, payees: [{ id: parties.merchant.id }] },
    ]);
    const request = await tokenRequest(deps, parties, form(subject, { audience: [other.id], authorization_details }));
    expect(await errorOf(exchangeToken(deps, request))).toBe("invalid_target");
    expect(await errorOf(exchangeToken(deps, { ...request, form: form(subject, { authorization_details }) }))).toBe(
      "none",
    );
  });

  test("of several mandates, the token contains only those with this payee; a request for another mandate is refused", async () => {
    const other = await makeMerchant(deps);
    const second = newId("mdt");
    const { payer, agent } = parties;
    await deps.db.transaction((tx) =>
      activateMandates(deps, tx, {
        requestId: "req_test",
        grantId: granted.grantId,
        clientId: agent.id,
        payerId: payer.id,
        paymentMethodId: payer.paymentMethodId,
        mandateIds: [second],
        budgetVisible: false,
        details: [
          {
            type: "payment_mandate_v1",
            actions: ["charge"],
            currency: "EUR",
            max_amount_per_payment: 100,
            payees: [{ id: other.id }],
          },
        ],
        now: deps.clock.now(),
      }),
    );
    const subject = await granted.accessToken();
    expect(await attempt(subject, parties.merchant.id)).toEqual([granted.mandateId]);
    expect(await attempt(subject, other.id)).toEqual([second]);
    const both = JSON.stringify([
      { type: "payment_mandate_v1", identifier: granted.mandateId },
      { type: "payment_mandate_v1", identifier: second },
    ]);
    expect(await attempt(subject, other.id, { authorization_details: both })).toBe(refused);
  });
});

describe("requested details (RFC 9396 §6.1)", () => {
  const narrowed = (change: object) => ({
    authorization_details: JSON.stringify([{ type: "payment_mandate_v1", identifier: granted.mandateId, ...change }]),
  });

  test("apply to the mandate token if they are narrower than the subject token's", async () => {
    const answer = await exchange(await granted.accessToken(), narrowed({ max_total_amount: 500, max_payments: 1 }));
    expect(answer.authorization_details).toMatchObject([{ max_total_amount: 500, max_payments: 1 }]);
    expect(decodeJwt(answer.access_token)["authorization_details"]).toEqual(answer.authorization_details);
    expect(await isActive(answer.access_token)).toBe(true);
  });

  test.each([
    ["a higher cap", { max_total_amount: 9_001 }],
    ["another payee", { payees: [{ id: "mch_other" }] }],
    ["another currency", { currency: "USD" }],
  ])("are refused with invalid_authorization_details if they have %s", async (_title, change) => {
    expect(await errorOf(exchange(await granted.accessToken(), narrowed(change)))).toBe(
      "invalid_authorization_details",
    );
  });

  test("are refused if they are wider than the mandate's current details", async () => {
    const subject = await granted.accessToken();
    await narrowMandate(deps, { ...payerActs(granted.mandateId), narrowing: { max_total_amount: 100 } });
    const answer = await exchange(subject);
    expect(answer.authorization_details).toMatchObject([{ max_total_amount: 100 }]);
    expect(await errorOf(exchange(subject, narrowed({ max_total_amount: 101 })))).toBe("invalid_authorization_details");
  });
});
