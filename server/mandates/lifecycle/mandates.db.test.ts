import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant, makePayer } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { newId } from "../../kernel/ids.ts";
import { checkPayees, readAuthorizationDetails } from "../details/validate-authorization-details.ts";
import { getPayerMandate, listPayerMandates } from "../find-mandates.ts";
import { expireDueMandates } from "./expire-due-mandates.ts";
import { narrowMandate } from "./narrow-mandate.ts";
import { rejectMandates } from "./reject-mandates.ts";
import { resumeMandate } from "./resume-mandate.ts";
import { revokeGrantMandates, revokeMandate } from "./revoke-mandate.ts";
import { suspendMandate } from "./suspend-mandate.ts";

let deps: TestDeps;
const bank = scriptedProcessor();
beforeAll(async () => {
  deps = await createTestDeps({ processors: bank.processors });
});
afterAll(() => deps.close());

const actor = (kind: "payer" | "client" | "operator", id: string) => ({ kind, id }) as const;
const versions = (mandateId: string) =>
  deps.db.prisma.mandateVersion.findMany({
    where: { mandateId },
    orderBy: { version: "asc" },
    select: { version: true, revoked: true, suspended: true },
  });
const eventTypes = async (objectId: string) =>
  (await deps.db.prisma.event.findMany({ where: { objectId }, orderBy: { sequence: "asc" } })).map((event) => [
    event.sequence,
    event.type,
  ]);

const validate = async (raw: unknown) => {
  const items = readAuthorizationDetails(deps, { raw, replaceable: null, at: deps.clock.now() });
  await checkPayees(deps, items);
  return items;
};

describe("authorization_details (RFC 9396 §5)", () => {
  const item = { type: "payment_mandate_v1", actions: ["charge"], currency: "EUR", max_total_amount: 100 };
  const attempt = (raw: unknown) =>
    validate(raw).catch((error: { code: string; description: string }) => `${error.code} ${error.description}`);

  test("accepts details within bounds, for a registered merchant", async () => {
    const merchant = await makeMerchant(deps);
    const details = { ...item, payees: [{ id: merchant.id }], locations: [`${deps.config.baseUrl}/merchant_test`] };
    expect(await attempt([details])).toEqual([details]);
    expect(await attempt([])).toEqual([]);
  });

  test("`locations` may be absent or empty, or name only the resource for charges (RFC 9396 §2.2)", async () => {
    const own = `${deps.config.baseUrl}/merchant_test`;
    for (const locations of [[], [own], [own, own], [`${own}/`]]) {
      expect(await attempt([{ ...item, locations }])).toEqual([{ ...item, locations }]);
    }
    for (const other of [`${own}/charge`, deps.config.baseUrl, own.replace("http", "ftp")]) {
      expect(await attempt([{ ...item, locations: [own, other] }])).toBe(
        `invalid_authorization_details authorization_details[0].locations: unknown resource; expected ${own}`,
      );
    }
    for (const malformed of ["merchant_test", own, null, [7], Array(6).fill(own)]) {
      expect(await attempt([{ ...item, locations: malformed }])).toMatch(
        /^invalid_authorization_details authorization_details\[0\]\.locations/,
      );
    }
  });

  test.each<[string, unknown]>([
    ["authorization_details: must be a JSON array", item],
    ["authorization_details: must have at most 10 items", Array.from({ length: 11 }, () => item)],
    ["authorization_details[0]: must be an object with a type", ["x"]],
    ["authorization_details[0].type: unknown type", [{ ...item, type: "account_information" }]],
    ["authorization_details[0]: unknown field", [{ ...item, "<script>": 1 }]],
    [
      "authorization_details[1].max_total_amount: must be an integer from 1 to 99999999999",
      [item, { ...item, max_total_amount: '9"9' }],
    ],
    [
      "authorization_details[0].periodic_limits[0].max_amount: must be an integer from 1 to 99999999999",
      [{ ...item, periodic_limits: [{ period: "day", alignment: "calendar", max_amount: 0 }] }],
    ],
    ["authorization_details[0].payees[0].id: unknown merchant", [{ ...item, payees: [{ id: "mch_unknown" }] }]],
    [
      "authorization_details[0].valid_until: must be at most one calendar year ahead",
      [{ ...item, valid_until: "2090-01-01T00:00:00Z" }],
    ],
  ])("refuses with '%s'", async (description, raw) => {
    expect(await attempt(raw)).toBe(`invalid_authorization_details ${description}`);
  });
});

describe("the lifecycle of a mandate (docs/spec/payments.md, Mandate states)", () => {
  test("consent makes the mandate active at version 1 with its own index, identifier and payment instrument", async () => {
    const setup = await makeChargeableMandate(deps, { purpose: "Groceries" });
    const view = await getPayerMandate(deps, { payerId: setup.payer.id, mandateId: setup.mandateId });
    expect(view).toMatchObject({
      state: "active",
      version: 1,
      purpose: "Groceries",
      payees: [{ id: setup.merchant.id, name: "Fresh Market" }],
    });
    expect(view.details).toMatchObject({
      identifier: setup.mandateId,
      payment_instrument: { id: setup.payer.paymentMethodId, type: "card", label: "Visa ending in 4242" },
      valid_from: deps.clock.now().toISOString(),
    });
    expect(view.timeline.map((entry) => entry.action)).toEqual(["mandate.activated"]);
    expect(await versions(setup.mandateId)).toEqual([{ version: 1, revoked: false, suspended: false }]);
    expect(await eventTypes(setup.mandateId)).toEqual([[1, "mandate.activated"]]);
  });

  test("payer and operator can each lift only their own suspension, and the status bits change with the state", async () => {
    const { mandateId, payer } = await makeChargeableMandate(deps);
    const by = {
      payer: { mandateId, actor: actor("payer", payer.id), requestId: "r" },
      operator: { mandateId, actor: actor("operator", "acc_op"), requestId: "r" },
    };
    expect(await suspendMandate(deps, by.payer)).toBe("suspended");
    expect(await suspendMandate(deps, by.operator)).toBe("suspended");
    expect((await refusalOf(suspendMandate(deps, by.payer))).code).toBe("already_suspended");
    expect(await resumeMandate(deps, by.payer)).toBe("suspended");
    expect((await refusalOf(resumeMandate(deps, by.payer))).code).toBe("not_suspended_by_you");
    expect((await versions(mandateId))[0]?.suspended).toBe(true);
    expect(await resumeMandate(deps, by.operator)).toBe("active");
    expect((await versions(mandateId))[0]?.suspended).toBe(false);
    expect(await eventTypes(mandateId)).toEqual([
      [1, "mandate.activated"],
      [2, "mandate.suspended"],
      [3, "mandate.resumed"],
    ]);
  });

  test("revoking is final and sets every version's status bit; revoking a grant's last mandate ends the grant", async () => {
    const { mandateId, payer, grant } = await makeChargeableMandate(deps);
    const act = { mandateId, actor: actor("payer", payer.id), requestId: "r", reason: "moved" };
    await narrowMandate(deps, { ...act, narrowing: { max_amount_per_payment: 100 } });
    expect(await revokeMandate(deps, act)).toBe("revoked");
    expect((await versions(mandateId)).map((version) => version.revoked)).toEqual([true, true]);
    expect((await deps.db.prisma.grant.findUniqueOrThrow({ where: { id: grant.id } })).endedAt).not.toBeNull();
    expect((await refusalOf(revokeMandate(deps, act))).code).toBe("mandate_revoked");
    expect((await refusalOf(resumeMandate(deps, act))).code).toBe("mandate_revoked");
  });

  test("any other actor gets not_found", async () => {
    const { mandateId, agent } = await makeChargeableMandate(deps);
    const stranger = await makePayer(deps);
    const by = (who: ReturnType<typeof actor>) =>
      refusalOf(revokeMandate(deps, { mandateId, actor: who, requestId: "r" }));
    expect((await by(actor("payer", stranger.id))).code).toBe("mandate_not_found");
    expect((await by(actor("client", "cl_test_other"))).code).toBe("mandate_not_found");
    expect(
      (await refusalOf(suspendMandate(deps, { mandateId, actor: actor("client", agent.id), requestId: "r" }))).kind,
    ).toBe("conflict");
    expect(await refusalOf(getPayerMandate(deps, { payerId: stranger.id, mandateId }))).toMatchObject({
      kind: "not_found",
    });
    expect(await listPayerMandates(deps, { payerId: stranger.id, show: "live", limit: 10 })).toEqual({
      mandates: [],
      hasMore: false,
    });
  });

  test("a client revokes the mandates of its grant within the caller's transaction", async () => {
    const { mandateId, agent, grant } = await makeChargeableMandate(deps);
    await deps.db.transaction((tx) =>
      revokeGrantMandates(deps, { grantId: grant.id, actor: actor("client", agent.id), requestId: "r", tx }),
    );
    expect((await deps.db.prisma.mandate.findUniqueOrThrow({ where: { id: mandateId } })).state).toBe("revoked");
  });

  test("revocation in a caller's transaction voids charges that wait for the payer, and is rolled back with the transaction", async () => {
    const setup = await makeChargeableMandate(deps, { step_up_above: 1 });
    const answer = await setup.charge({}, "k");
    const act = { mandateId: setup.mandateId, actor: actor("payer", setup.payer.id), requestId: "r" };
    const rolledBack = deps.db.transaction(async (tx) => {
      await revokeMandate(deps, { ...act, tx });
      throw new Error("rolled back");
    });
    await expect(rolledBack).rejects.toThrow("rolled back");
    expect(await setup.counters()).toMatchObject({ state: "active", held: 1_000n });
    await deps.db.transaction((tx) => revokeMandate(deps, { ...act, tx }));
    expect(await setup.counters()).toMatchObject({ state: "revoked", held: 0n, heldCount: 0n });
    const repeated = await setup.charge({}, "k");
    expect(repeated).toMatchObject({ status: 402, isRepeat: true, chargeId: answer.chargeId });
    expect(JSON.parse(repeated.body)).toMatchObject({ charge_id: answer.chargeId, code: "voided" });
  });

  test("declining stores the mandate as rejected and without a credential, and the wallet hides it", async () => {
    const { payer, agent, grant } = await makeChargeableMandate(deps);
    const mandateId = newId("mdt");
    await deps.db.transaction((tx) =>
      rejectMandates(deps, tx, {
        requestId: "r",
        grantId: grant.id,
        clientId: agent.id,
        payerId: payer.id,
        mandateIds: [mandateId],
        now: deps.clock.now(),
        details: [{ type: "payment_mandate_v1", actions: ["charge"], currency: "EUR", max_total_amount: 1 }],
      }),
    );
    expect((await deps.db.prisma.mandate.findUniqueOrThrow({ where: { id: mandateId } })).state).toBe("rejected");
    expect(await versions(mandateId)).toEqual([]);
    for (const show of ["live", "ended"] as const) {
      const { mandates } = await listPayerMandates(deps, { payerId: payer.id, show, limit: 100 });
      expect(mandates.map((view) => view.id)).not.toContain(mandateId);
    }
  });
});

describe("expireDueMandates", () => {
  test("checks refuse the mandate from the end of its window; the job records the state and ends the grant", async () => {
    const own = await createTestDeps({ processors: bank.processors });
    try {
      const until = new Date(own.clock.now().getTime() + 60_000).toISOString();
      const setup = await makeChargeableMandate(own, { valid_until: until });
      own.clock.set(new Date(until));
      expect((await refusalOf(setup.charge({}))).reasons).toEqual(["mandate_expired"]);
      expect((await setup.counters()).state).toBe("active");
      expect(await expireDueMandates(own, { limit: 10 })).toBe(1);
      expect(await expireDueMandates(own, { limit: 10 })).toBe(0);
      expect((await setup.counters()).state).toBe("expired");
      expect((await own.db.prisma.grant.findUniqueOrThrow({ where: { id: setup.grant.id } })).endedAt).not.toBeNull();
    } finally {
      await own.close();
    }
  });
});
