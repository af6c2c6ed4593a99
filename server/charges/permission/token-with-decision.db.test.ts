import { afterAll, beforeAll, expect, test } from "vitest";
import { makeMerchant, makeMerchantClient } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findDecision } from "../../data/mandates/mandate-decision.ts";
import { denyToken, findLiveness, type TokenKey } from "../../data/oauth/liveness.ts";
import { findTokenWithDecision } from "../../data/oauth/token-with-decision.ts";
import { newSecret } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { revokeMandate } from "../../mandates/lifecycle/revoke-mandate.ts";
import { suspendMandate } from "../../mandates/lifecycle/suspend-mandate.ts";
import { makeChargeableMandate, scriptedProcessor } from "../charge/charge-setup.fixture.ts";

let deps: TestDeps;
const bank = scriptedProcessor();
beforeAll(async () => {
  deps = await createTestDeps({ processors: bank.processors });
});
afterAll(() => deps.close());

const tokenOf = (clientId: string, more: Partial<TokenKey> = {}): TokenKey => ({
  clientId,
  grantId: null,
  jti: newSecret(),
  mandateIds: [],
  kid: deps.keys.signingKey("access_token").kid,
  jkt: null,
  at: deps.clock.now(),
  ...more,
});

/** Each token combined with each mandate. The combinations cover all states that matter for the decision. */
const makeQuestions = async (): Promise<{ token: TokenKey; mandateId: string }[]> => {
  const monthly = { period: "month", alignment: "calendar", max_amount: 4_000 } as const;
  const [used, revoked, suspended] = [
    await makeChargeableMandate(deps, { max_total_amount: 9_000, periodic_limits: [monthly] }),
    await makeChargeableMandate(deps),
    await makeChargeableMandate(deps),
  ];
  await used.charge({ amount: 1_000 });
  const actor = ({ payer, mandateId }: typeof used) =>
    ({ mandateId, actor: { kind: "payer", id: payer.id }, requestId: "req_test" }) as const;
  await revokeMandate(deps, actor(revoked));
  await suspendMandate(deps, actor(suspended));
  const gone = await makeMerchantClient(deps, used.merchant.id);
  await deps.db.prisma.client.update({ where: { id: gone.id }, data: { deletedAt: deps.clock.now() } });
  const stranger = await makeMerchantClient(deps, (await makeMerchant(deps)).id);
  const own = tokenOf(used.merchantClient.id);
  const denied = tokenOf(used.merchantClient.id);
  await denyToken(deps.db.sql, { jti: denied.jti, expiresAt: addSeconds(deps.clock.now(), 60) });
  const agents = tokenOf(used.agent.id, { grantId: used.grant.id, mandateIds: [used.mandateId] });
  const tokens = [
    own,
    denied,
    agents,
    tokenOf(gone.id),
    tokenOf(stranger.id),
    tokenOf("cl_test_unknown"),
    tokenOf(used.merchantClient.id, { kid: "unknown" }),
    tokenOf(revoked.merchantClient.id),
    tokenOf(suspended.merchantClient.id),
    tokenOf(used.agent.id, { grantId: "grt_unknown" }),
  ];
  const mandateIds = [used.mandateId, revoked.mandateId, suspended.mandateId, "mdt_unknown"];
  return tokens.flatMap((token) => mandateIds.map((mandateId) => ({ token, mandateId })));
};

test("for each token and mandate, the combined statement returns the same values as the two separate statements", async () => {
  const questions = await makeQuestions();
  const { sql } = deps.db;
  const apart = await Promise.all(
    questions.map(async ({ token, mandateId }) => {
      const liveness = await findLiveness(sql, token);
      const merchantId = liveness?.merchantId ?? null;
      const decision = merchantId === null ? null : await findDecision(sql, { mandateId, merchantId, at: token.at });
      return { liveness, decision };
    }),
  );
  const alone = [];
  for (const question of questions) alone.push(await findTokenWithDecision(sql, question));
  // Concurrent requests share a statement.
  const together = await Promise.all(questions.map((question) => findTokenWithDecision(sql, question)));
  expect(alone.map(decidedFieldsOf)).toEqual(apart.map(decidedFieldsOf));
  expect(together.map(decidedFieldsOf)).toEqual(apart.map(decidedFieldsOf));
  expect(apart.filter(({ decision }) => decision !== null)).toHaveLength(5);
  expect(apart.filter(({ liveness }) => liveness === null)).toHaveLength(8);
});

/** The fields that the decision uses. Depending on the statement, rows have additional fields. */
const decidedFieldsOf = ({ liveness, decision }: Awaited<ReturnType<typeof findTokenWithDecision>>) => ({
  liveness: liveness && {
    clientEpoch: liveness.clientEpoch,
    merchantId: liveness.merchantId,
    grantEpoch: liveness.grantEpoch,
    isDenied: liveness.isDenied,
    isKeyActive: liveness.isKeyActive,
    activeMandates: liveness.activeMandates,
  },
  decision: decision && {
    ...decision,
    lifetime: [decision.lifetime.usedAmount, decision.lifetime.heldAmount, decision.lifetime.usedCount],
    terms: [decision.terms.maxTotalAmount, decision.terms.periodicLimits, decision.terms.validUntil],
  },
});
