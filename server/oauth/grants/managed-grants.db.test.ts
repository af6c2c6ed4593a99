import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeAgentClient } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { findViolations } from "../../data/invariants/invariants.ts";
import { narrowMandate } from "../../mandates/lifecycle/narrow-mandate.ts";
import { suspendMandate } from "../../mandates/lifecycle/suspend-mandate.ts";
import { queryGrant } from "./query-grant.ts";
import { revokeGrant } from "./revoke-grant.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
});
afterAll(() => deps.close());

const query = ({ grant, agent }: { grant: { id: string }; agent: { id: string } }) =>
  queryGrant(deps, { grantId: grant.id, clientId: agent.id });
const revoke = (grantId: string, clientId: string) =>
  revokeGrant(deps, { grantId, clientId, requestId: "req_test", reason: "test" });
const revocations = async (grantId: string) => {
  const [row] = await deps.db.prisma.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) FROM audit_entry WHERE subject_id = ${grantId} AND action = 'grant.revoked'`;
  return Number(row?.count);
};

describe("queryGrant (Grant Management §6.4)", () => {
  test("a paused mandate still belongs to the grant, although no token names it", async () => {
    const own = await makeChargeableMandate(deps);
    const act = { mandateId: own.mandateId, actor: { kind: "payer", id: own.payer.id }, requestId: "r" } as const;
    await suspendMandate(deps, act);
    expect((await query(own))?.authorization_details).toMatchObject([{ identifier: own.mandateId }]);
  });

  test("a limit that the payer lowered is reported as a change by the authorization server, with the time of the change", async () => {
    const own = await makeChargeableMandate(deps);
    const before = await query(own);
    expect(before).toMatchObject({ updated_by: "client", last_updated: before?.created_at });
    deps.clock.advance(60);
    const act = { mandateId: own.mandateId, actor: { kind: "payer", id: own.payer.id }, requestId: "r" } as const;
    await narrowMandate(deps, { ...act, narrowing: { max_amount_per_payment: 100 } });
    expect(await query(own)).toMatchObject({
      updated_by: "authorization_server",
      last_updated: (before?.created_at ?? 0) + 60,
      authorization_details: [{ max_amount_per_payment: 100 }],
    });
  });

  test("a grant has ended once its last mandate has expired", async () => {
    const until = new Date(deps.clock.now().getTime() + 3_600_000);
    const own = await makeChargeableMandate(deps, { valid_until: until.toISOString() });
    expect(await query(own)).toMatchObject({ expires_at: Math.floor(until.getTime() / 1000) });
    deps.clock.advance(3_600);
    expect(await query(own)).toBeNull();
  });

  test("another client's grant is unknown", async () => {
    const own = await makeChargeableMandate(deps);
    expect(await query({ grant: own.grant, agent: await makeAgentClient(deps) })).toBeNull();
  });
});

describe("revokeGrant (Grant Management §6.5)", () => {
  test("ends the mandate, voids charges that wait for the payer, and is audited once for any number of requests", async () => {
    const own = await makeChargeableMandate(deps, { step_up_above: 100 });
    await own.charge();
    const answers = await Promise.all(Array.from({ length: 10 }, () => revoke(own.grant.id, own.agent.id)));
    expect(answers).toEqual(answers.map(() => true));
    expect(await own.counters()).toMatchObject({ state: "revoked", held: 0n });
    expect(await revocations(own.grant.id)).toBe(1);
    expect(await findViolations(deps.db.sql)).toEqual([]);
  });

  test("of an expired grant records the expiry once, if no worker has recorded it yet", async () => {
    const until = new Date(deps.clock.now().getTime() + 3_600_000);
    const own = await makeChargeableMandate(deps, { valid_until: until.toISOString() });
    deps.clock.advance(3_601);
    expect(await revoke(own.grant.id, own.agent.id)).toBe(true);
    expect(await revoke(own.grant.id, own.agent.id)).toBe(true);
    expect((await own.counters()).state).toBe("expired");
    const { endedAt } = await deps.db.prisma.mandate.findUniqueOrThrow({ where: { id: own.mandateId } });
    expect(endedAt).toEqual(until);
    expect(await revocations(own.grant.id)).toBe(1);
  });

  test("by another client changes nothing", async () => {
    const own = await makeChargeableMandate(deps);
    expect(await revoke(own.grant.id, (await makeAgentClient(deps)).id)).toBe(false);
    expect((await own.counters()).state).toBe("active");
    expect(await revocations(own.grant.id)).toBe(0);
  });

  test("lets each concurrent charge either succeed before the revocation or be refused after it", async () => {
    const own = await makeChargeableMandate(deps);
    const charges = Array.from({ length: 20 }, () => own.charge({ amount: 100 }).catch(() => null));
    await Promise.all([revoke(own.grant.id, own.agent.id), ...charges]);
    expect(await own.charge().catch((error: { code: string }) => error.code)).toBe("refused_by_mandate");
    expect(await findViolations(deps.db.sql)).toEqual([]);
  });
});
