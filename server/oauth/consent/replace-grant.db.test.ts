import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePayer } from "#e2e/support/factories.ts";
import { authorizationOf, submitConsent } from "#e2e/support/oauth/authorization-flow.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { findViolations } from "../../data/invariants/invariants.ts";
import { provideDeps } from "../../http/runtime.ts";
import type { PaymentMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";
import { getPayerMandate } from "../../mandates/find-mandates.ts";
import { narrowMandate } from "../../mandates/lifecycle/narrow-mandate.ts";
import { revokeMandate } from "../../mandates/lifecycle/revoke-mandate.ts";
import { suspendMandate } from "../../mandates/lifecycle/suspend-mandate.ts";
import { revokeGrant } from "../grants/revoke-grant.ts";
import { findTokenLiveness } from "../tokens/verify-access-token.ts";
import { verifyAccessTokenJwt } from "../tokens/verify-access-token-jwt.ts";
import { sealConsentForm } from "./consent-form.ts";
import { loadConsentRequest } from "./load-consent-request.ts";

let deps: TestDeps;
const bank = scriptedProcessor();
beforeAll(async () => {
  deps = await createTestDeps({ processors: bank.processors });
  provideDeps(deps);
});
afterAll(() => deps.close());

/** A payer's live mandate, and its client that requests a replacement. */
const makeReplaceable = async (limits: Partial<PaymentMandateDetails> = {}) => {
  const setup = await makeChargeableMandate(deps, limits);
  const { mandateId, merchant, grant } = setup;
  const flow = await authorizationOf(deps, { client: setup.agent, payer: setup.payer });
  const details = (more: Partial<PaymentMandateDetails> = {}, id: string | null = mandateId): object => ({
    type: "payment_mandate_v1",
    actions: ["verify", "charge"],
    currency: "EUR",
    max_amount_per_payment: 5_000,
    payees: [{ id: merchant.id }],
    payer_presence: ["in_session", "off_session"],
    ...limits,
    ...more,
    ...(id === null ? {} : { identifier: id }),
  });
  const replacing = { grant_management_action: "replace", grant_id: grant.id };
  const requestReplacement = (...items: object[]) => flow.startAuthorization(items, replacing);
  const replaceBy = (...items: object[]) => flow.authorize(items, replacing);
  const mandate = () =>
    deps.db.prisma.mandate.findUniqueOrThrow({
      where: { id: mandateId },
      include: { versions: { orderBy: { version: "asc" } }, grant: true },
    });
  const act = { mandateId, actor: { kind: "payer", id: setup.payer.id }, requestId: "r" } as const;
  return { ...setup, ...flow, details, replacing, requestReplacement, replaceBy, mandate, act };
};

const isLive = async (token: string): Promise<boolean> => {
  const claims = await verifyAccessTokenJwt(deps, token);
  return claims !== null && (await findTokenLiveness(deps, claims)) !== null;
};
const noViolations = async () => expect(await findViolations(deps.db.sql)).toEqual([]);

describe("a replacement (Grant Management §5.2; docs/spec/payments.md, Narrowing and replacing a mandate)", () => {
  test("keeps the mandate's id and used amounts; the next version has a new credential index, and the old credential is revoked", async () => {
    const own = await makeReplaceable({ max_total_amount: 10_000 });
    await own.charge({ amount: 4_000 });
    const token = await own.replaceBy(own.details({ max_total_amount: 20_000, max_amount_per_payment: 9_000 }));
    expect(token).toMatchObject({ status: 200, body: { grant_id: own.grant.id } });
    expect(token.body.authorization_details).toMatchObject([{ identifier: own.mandateId, max_total_amount: 20_000 }]);
    const mandate = await own.mandate();
    expect(mandate).toMatchObject({ version: 2, state: "active", usedAmount: 4_000n, maxTotalAmount: 20_000n });
    expect(mandate.versions.map(({ revoked, suspended }) => [revoked, suspended])).toEqual([
      [true, false],
      [false, false],
    ]);
    expect(mandate.versions[0]?.statusIndex).not.toBe(mandate.versions[1]?.statusIndex);
    expect((await own.charge({ amount: 9_000 })).status).toBe(201);
    expect((await refusalOf(own.charge({ amount: 7_001 }))).reasons).toEqual(["total_limit_exceeded"]);
    await noViolations();
  });

  test("if the new lifetime caps are already used up, the mandate is consumed immediately and the grant ends with its last mandate", async () => {
    const own = await makeReplaceable({ max_total_amount: 10_000 });
    await own.charge({ amount: 4_000 });
    const { handle } = await own.requestReplacement(own.details({ max_total_amount: 4_000 }));
    await (await own.read(handle)).answer("approve");
    expect(await own.mandate()).toMatchObject({ version: 2, state: "consumed", usedAmount: 4_000n });
    const grant = await deps.db.prisma.grant.findUniqueOrThrow({ where: { id: own.grant.id } });
    expect(grant.endedAt).not.toBeNull();
    await noViolations();
  });

  test("is audited, sent as mandate.updated, and stored with the text that the payer saw", async () => {
    const own = await makeReplaceable();
    await own.replaceBy(own.details({ max_amount_per_payment: 6_000 }));
    const { timeline } = await getPayerMandate(deps, { payerId: own.payer.id, mandateId: own.mandateId });
    expect(timeline.find(({ action }) => action === "mandate.replaced")).toMatchObject({
      actorKind: "payer",
      data: { version: 2, grant_id: own.grant.id },
    });
    const events = await deps.db.prisma.event.findMany({
      where: { objectId: own.mandateId },
      orderBy: { sequence: "asc" },
    });
    expect(events.map(({ type }) => type)).toEqual(["mandate.activated", "mandate.updated"]);
    expect(await deps.db.prisma.consent.findFirst({ where: { grantId: own.grant.id } })).toMatchObject({
      decision: "approve",
      payerId: own.payer.id,
    });
  });

  test("ends earlier access tokens, refresh tokens and codes; using them again doesn't end the new tokens", async () => {
    const own = await makeReplaceable();
    const first = await own.replaceBy(own.details());
    const waiting = await own.requestReplacement(own.details({ max_amount_per_payment: 5_500 }));
    const oldCode = own.codeOf(await (await own.read(waiting.handle)).answer("approve"));
    const second = await own.replaceBy(own.details({ max_amount_per_payment: 6_000 }));
    expect(await isLive(first.body.access_token)).toBe(false);
    const refresh = (token: string) => own.post("/oauth/token", { grant_type: "refresh_token", refresh_token: token });
    expect(await refresh(first.body.refresh_token)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(await own.exchange(oldCode, waiting.verifier)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    expect(await isLive(second.body.access_token)).toBe(true);
    expect((await refresh(second.body.refresh_token)).status).toBe(200);
  });

  test("reusing an earlier code, or revoking an earlier refresh token, doesn't end the new tokens either", async () => {
    const own = await makeReplaceable();
    const request = await own.requestReplacement(own.details());
    const code = own.codeOf(await (await own.read(request.handle)).answer("approve"));
    const first = await own.exchange(code, request.verifier);
    expect(first.status).toBe(200);
    deps.clock.advance(3);
    const second = await own.replaceBy(own.details({ max_amount_per_payment: 6_000 }));
    expect(await own.exchange(code, request.verifier)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect((await own.post("/oauth/revoke", { token: first.body.refresh_token })).status).toBe(200);
    expect(await isLive(second.body.access_token)).toBe(true);
    expect((await own.mandate()).state).toBe("active");
    const refreshed = await own.post("/oauth/token", {
      grant_type: "refresh_token",
      refresh_token: second.body.refresh_token,
    });
    expect(refreshed.status).toBe(200);
    // Revoking the new refresh token still ends the mandate.
    expect((await own.post("/oauth/revoke", { token: second.body.refresh_token })).status).toBe(200);
    expect((await own.mandate()).state).toBe("revoked");
  });

  test("declining leaves the mandate, its tokens and its version unchanged", async () => {
    const own = await makeReplaceable();
    const token = await own.replaceBy(own.details());
    const before = await own.mandate();
    const { handle } = await own.requestReplacement(own.details({ max_amount_per_payment: 9_000 }));
    const outcome = await (await own.read(handle)).answer("decline");
    expect(outcome).toMatchObject({ location: expect.stringContaining("error=access_denied") });
    expect(await own.mandate()).toEqual(before);
    expect(await isLive(token.body.access_token)).toBe(true);
    expect(await deps.db.prisma.mandate.count({ where: { grantId: own.grant.id } })).toBe(1);
  });

  test("the requested scopes replace the previous ones, and the page shows them", async () => {
    const own = await makeReplaceable();
    const { handle } = await own.startAuthorization([own.details()], {
      ...own.replacing,
      scope: "grant_management_revoke",
    });
    expect((await own.read(handle)).view.rights).toEqual(["end_permission"]);
    await own.authorize([own.details()], { ...own.replacing, scope: "grant_management_query" });
    expect((await own.mandate()).grant.scopes).toEqual(["grant_management_query"]);
    await own.replaceBy(own.details());
    expect((await own.mandate()).grant.scopes).toEqual([]);
  });

  test("a paused mandate stays paused, and its new credential is suspended from the beginning", async () => {
    const own = await makeReplaceable();
    await suspendMandate(deps, own.act);
    await own.replaceBy(own.details({ max_amount_per_payment: 6_000 }));
    const mandate = await own.mandate();
    expect([mandate.state, mandate.suspendedBy]).toEqual(["suspended", ["payer"]]);
    expect(mandate.versions.map(({ suspended }) => suspended)).toEqual([true, true]);
  });

  test("an item without identifier is added to the grant; a mandate that the request omits ends when the payer approves", async () => {
    const own = await makeReplaceable();
    const joined = await own.replaceBy(own.details(), own.details({ purpose: "Second" }, null));
    const granted: { identifier: string }[] = joined.body.authorization_details;
    const second = granted.map(({ identifier }) => identifier).find((id) => id !== own.mandateId) ?? "";
    expect(joined.body.grant_id).toBe(own.grant.id);
    const { handle } = await own.requestReplacement(own.details({ purpose: "Kept" }, second));
    const page = await own.read(handle);
    expect(page.view.replaces?.ends.map(({ mandateId }) => mandateId)).toEqual([own.mandateId]);
    await page.answer("approve");
    expect((await own.mandate()).state).toBe("revoked");
    expect((await own.mandate()).grant.endedAt).toBeNull();
    expect((await deps.db.prisma.mandate.findUniqueOrThrow({ where: { id: second } })).version).toBe(2);
  });
});

describe("who may approve a replacement", () => {
  test("another payer can't find the request, and the owner can still decide it", async () => {
    const own = await makeReplaceable();
    const stranger = await makePayer(deps);
    const { handle } = await own.requestReplacement(own.details({ max_amount_per_payment: 6_000 }));
    await expect(own.read(handle, own.session(stranger.id))).rejects.toThrow("gone unknown");
    await (await own.read(handle)).answer("approve");
    expect((await own.mandate()).version).toBe(2);
  });

  test("another payer can't send the form of the owner's page", async () => {
    const own = await makeReplaceable();
    const stranger = own.session((await makePayer(deps)).id);
    const { handle } = await own.requestReplacement(own.details({ max_amount_per_payment: 6_000 }));
    const page = await own.read(handle);
    const formToken = sealConsentForm(deps, {
      session: stranger,
      view: page.view,
      page: { text: "Words", locale: "en" },
    });
    const attempt = submitConsent(deps, {
      handle,
      formToken,
      session: stranger,
      info: { requestId: "r", ipAddress: "", userAgent: "" },
      decision: {
        decision: "approve",
        paymentMethodId: own.payer.paymentMethodId,
        narrowings: [],
        budgetVisible: false,
      },
    });
    expect((await refusalOf(attempt)).code).toBe("consent_gone");
    expect((await own.mandate()).version).toBe(1);
  });

  test("a page with outdated values is stale, and nothing is decided", async () => {
    const own = await makeReplaceable();
    const { handle } = await own.requestReplacement(own.details({ max_amount_per_payment: 6_000 }));
    const page = await own.read(handle);
    await narrowMandate(deps, { ...own.act, narrowing: { max_amount_per_payment: 100 } });
    expect((await refusalOf(page.answer("approve"))).code).toBe("consent_stale");
    await (await own.read(handle)).answer("approve");
    expect((await own.mandate()).version).toBe(3);
  });

  type Replaceable = Awaited<ReturnType<typeof makeReplaceable>>;
  const giveUp = (own: Replaceable, data: object) =>
    deps.db.prisma.client.update({ where: { id: own.agent.id }, data: { ...data, version: { increment: 1 } } });
  const ways: [string, (own: Replaceable) => unknown][] = [
    ["whose mandate has ended", (own) => revokeMandate(deps, own.act)],
    ["that was open for too long", () => deps.clock.advance(900)],
    ["whose client no longer has a grant type that it needs", (own) => giveUp(own, { grantTypes: ["refresh_token"] })],
  ];
  test.each(ways)(
    "a request %s no longer exists, and only its own payer is redirected to the client",
    async (_title, end) => {
      const own = await makeReplaceable();
      const { handle } = await own.requestReplacement(own.details({ max_amount_per_payment: 6_000 }));
      await end(own);
      const wayBackFor = async (session: ReturnType<typeof own.session> | null) =>
        Reflect.get(await loadConsentRequest(deps, { handle, session }), "wayBack");
      const location = expect.stringContaining("error=access_denied");
      expect(await wayBackFor(own.session())).toMatchObject({ location });
      expect(await wayBackFor(own.session((await makePayer(deps)).id))).toBeNull();
      expect((await wayBackFor(null)) ?? null).toBeNull();
    },
  );
});

describe("spent amounts are counted in a period that a replacement adds", () => {
  const daily = { periodic_limits: [{ period: "day", alignment: "calendar", max_amount: 5_000 }] } as const;
  const withDay = (amount: number) => ({ periodic_limits: [{ ...daily.periodic_limits[0], max_amount: amount }] });

  test("captured amounts count as used, and only once, even if the limit is replaced several times", async () => {
    const own = await makeReplaceable();
    await own.charge({ amount: 4_000 });
    await own.replaceBy(own.details(withDay(5_000)));
    expect((await refusalOf(own.charge({ amount: 1_001 }))).reasons).toEqual(["period_limit_exceeded"]);
    await own.charge({ amount: 500 });
    await own.replaceBy(own.details());
    await own.charge({ amount: 300 });
    await own.replaceBy(own.details(withDay(5_000)));
    const { periods } = await own.counters();
    expect(periods.map(({ usedAmount, usedCount }) => [usedAmount, usedCount])).toEqual([[4_800n, 3n]]);
    await noViolations();
  });

  test("the amount of a charge that waits for the payer is first held in the added period, and released there later", async () => {
    const own = await makeReplaceable({ step_up_above: 1_000 });
    await own.charge({ amount: 4_000 });
    await own.replaceBy(own.details(withDay(5_000)));
    expect((await own.counters()).periods).toMatchObject([{ heldAmount: 4_000n, heldCount: 1n, usedAmount: 0n }]);
    await noViolations();
    await revokeMandate(deps, own.act);
    expect((await own.counters()).periods).toMatchObject([{ heldAmount: 0n, heldCount: 0n, usedAmount: 0n }]);
    await noViolations();
  });

  test("consent periods continue from the mandate's start, not from the new consent", async () => {
    const own = await makeReplaceable();
    const before = await own.mandate();
    await own.replaceBy(own.details({ periodic_limits: [{ period: "week", alignment: "consent", max_payments: 3 }] }));
    const after = await own.mandate();
    expect(after.validFrom).toEqual(before.validFrom);
    expect(after.details).toMatchObject({ valid_from: before.validFrom.toISOString() });
  });
});

describe("races on real PostgreSQL", () => {
  test("a charge that is concurrent with a replacement counts under the old limits or the new limits, never under both", async () => {
    for (let round = 0; round < 4; round++) {
      // With this cap, twenty charges don't consume the mandate. A consumed mandate couldn't be replaced.
      const own = await makeReplaceable({ max_total_amount: 25_000 });
      const { handle } = await own.requestReplacement(own.details({ max_total_amount: 5_000, max_payments: 5 }));
      const page = await own.read(handle);
      const charges = Array.from({ length: 20 }, () => own.charge({ amount: 1_000 }).catch(() => null));
      const [outcome] = await Promise.all([page.answer("approve"), ...charges]);
      expect(outcome.kind).toBe("redirect");
      const made = await deps.db.prisma.charge.findMany({ where: { mandateId: own.mandateId } });
      const underNew = made.filter(({ mandateVersion }) => mandateVersion === 2).length;
      const underOld = made.length - underNew;
      expect(underNew).toBe(Math.max(0, 5 - underOld));
      await noViolations();
    }
  });

  test("if charges are concurrent with a replacement that adds a period, no amount is lost or counted twice", async () => {
    for (let round = 0; round < 4; round++) {
      const own = await makeReplaceable();
      const limit = { period: "month", alignment: "calendar", max_amount: 1_000_000 } as const;
      const { handle } = await own.requestReplacement(own.details({ periodic_limits: [limit] }));
      const page = await own.read(handle);
      const charges = Array.from({ length: 15 }, () => own.charge({ amount: 100 }).catch(() => null));
      await Promise.all([page.answer("approve"), ...charges]);
      const { used, periods } = await own.counters();
      expect(periods.reduce((sum, { usedAmount }) => sum + usedAmount, 0n)).toBe(used);
      await noViolations();
    }
  });

  test("if two requests are approved concurrently, one approval succeeds, and the other page is stale", async () => {
    const own = await makeReplaceable();
    const pages = await Promise.all(
      [6_000, 7_000].map(async (max_amount_per_payment) =>
        own.read((await own.requestReplacement(own.details({ max_amount_per_payment }))).handle),
      ),
    );
    const outcomes = await Promise.allSettled(pages.map((page) => page.answer("approve")));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "consent_stale" } });
    expect((await own.mandate()).versions).toHaveLength(2);
  });

  test("ten concurrent approvals of one request create one version and one code, and all ten get this code", async () => {
    const own = await makeReplaceable();
    const { handle } = await own.requestReplacement(own.details({ max_amount_per_payment: 6_000 }));
    const page = await own.read(handle);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => page.answer("approve")));
    expect(new Set(outcomes.map(own.codeOf)).size).toBe(1);
    expect((await own.mandate()).version).toBe(2);
    expect(await deps.db.prisma.authorizationCode.count({ where: { grantId: own.grant.id } })).toBe(1);
  });

  test("a revocation that is concurrent with a replacement revokes all versions, even if the replacement succeeds", async () => {
    for (let round = 0; round < 6; round++) {
      const own = await makeReplaceable();
      const { handle } = await own.requestReplacement(own.details({ max_amount_per_payment: 6_000 }));
      const page = await own.read(handle);
      const end =
        round % 2 === 0
          ? revokeMandate(deps, own.act)
          : revokeGrant(deps, { grantId: own.grant.id, clientId: own.agent.id, requestId: "r", reason: "test" });
      const [answer] = await Promise.allSettled([page.answer("approve"), end]);
      const mandate = await own.mandate();
      expect(mandate.state).toBe("revoked");
      expect(mandate.grant.endedAt).not.toBeNull();
      expect(mandate.versions.every(({ revoked }) => revoked)).toBe(true);
      expect(mandate.version).toBe(answer.status === "fulfilled" ? 2 : 1);
    }
  });

  test("if an earlier code is used during a replacement, the code's tokens end, and the replacement's tokens stay valid", async () => {
    for (let round = 0; round < 6; round++) {
      const own = await makeReplaceable();
      const before = await own.requestReplacement(own.details({ max_amount_per_payment: 5_500 }));
      const oldCode = own.codeOf(await (await own.read(before.handle)).answer("approve"));
      const request = await own.requestReplacement(own.details({ max_amount_per_payment: 6_000 }));
      const page = await own.read(request.handle);
      const [outcome, answer] = await Promise.all([page.answer("approve"), own.exchange(oldCode, before.verifier)]);
      if (answer.status === 200) expect(await isLive(answer.body.access_token)).toBe(false);
      else expect(answer.body.error).toBe("invalid_grant");
      const second = await own.exchange(own.codeOf(outcome), request.verifier);
      expect(second.status, second.body.error_description).toBe(200);
      expect(second.body.authorization_details[0].max_amount_per_payment).toBe(6_000);
      expect(await isLive(second.body.access_token)).toBe(true);
      expect(await deps.db.prisma.refreshToken.count({ where: { grantId: own.grant.id, revokedAt: null } })).toBe(1);
    }
  });

  test("a replacement that runs concurrently with a refresh ends all earlier tokens and no later token", async () => {
    for (let round = 0; round < 6; round++) {
      const own = await makeReplaceable();
      await deps.db.prisma.client.update({ where: { id: own.agent.id }, data: { dpopBound: false } });
      const first = await own.replaceBy(own.details());
      const request = await own.requestReplacement(own.details({ max_amount_per_payment: 6_000 }));
      const page = await own.read(request.handle);
      const refreshed = own.post("/oauth/token", {
        grant_type: "refresh_token",
        refresh_token: first.body.refresh_token,
      });
      const [outcome, answer] = await Promise.all([page.answer("approve"), refreshed]);
      const second = await own.exchange(own.codeOf(outcome), request.verifier);
      expect(second.status, second.body.error_description).toBe(200);
      expect(await isLive(second.body.access_token)).toBe(true);
      if (answer.status === 200) expect(await isLive(answer.body.access_token)).toBe(false);
      const setup = await deps.db.prisma.refreshToken.count({
        where: { grantId: own.grant.id, revokedAt: null, rotatedAt: null },
      });
      expect(setup).toBe(1);
    }
  });
});
