import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant, makePayer } from "#e2e/support/factories.ts";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { listPastActs } from "../audit/past-acts.ts";
import { requestCapture, requestCharge } from "../charges/charge/answers.fixture.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../charges/charge/charge-setup.fixture.ts";
import { findViolations } from "../data/invariants/invariants.ts";
import { isDomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { getMerchant } from "./get-merchant.ts";
import { searchMerchants } from "./search-merchants.ts";
import { setSuspension } from "./set-suspension.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
});
afterAll(() => deps.close());

const by = {
  actor: { kind: "operator", id: "acc_operator" },
  requestId: "req_test",
  reason: "No answers to payers",
} as const;
const suspend = (merchantId: string) => setSuspension(deps, { merchantId, isSuspended: true, ...by });
const resume = (merchantId: string) => setSuspension(deps, { merchantId, isSuspended: false, ...by });

type Role = "owner" | "admin" | "developer" | "viewer";

const addMember = async (merchantId: string, role: Role, timeZone = "UTC") => {
  const { id: accountId } = await makePayer(deps);
  await deps.db.prisma.account.update({ where: { id: accountId }, data: { timeZone } });
  await deps.db.prisma.merchantMember.create({ data: { merchantId, accountId, role, createdAt: deps.clock.now() } });
  return `${accountId.toLowerCase()}@example.test`;
};

const outcomeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "made",
    (error: unknown) => {
      if (isDomainError(error)) return error.code;
      throw error;
    },
  );

/** The audit actions on an object, oldest first. */
const actsOn = async (subjectId: string) => (await listPastActs(deps, { subjectId, from: new Date(0) })).toReversed();

describe("an operator suspends a merchant (docs/spec/portal.md, Operator console)", () => {
  test("twenty concurrent calls make one audit entry with the reason, and send one e-mail to each owner and admin", async () => {
    const { id } = await makeMerchant(deps);
    const managers = [await addMember(id, "owner"), await addMember(id, "admin")];
    const others = [await addMember(id, "developer"), await addMember(id, "viewer")];
    const answers = await Promise.all(Array.from({ length: 20 }, () => suspend(id)));
    expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await actsOn(id)).toMatchObject([
      { action: "merchant.suspended", actorKind: "operator", actorId: "acc_operator", data: { reason: by.reason } },
    ]);
    const mail = await deps.db.prisma.mail.findMany({ where: { recipient: { in: [...managers, ...others] } } });
    expect(mail.map(({ recipient, kind }) => [recipient, kind]).toSorted()).toEqual(
      managers.toSorted().map((recipient) => [recipient, "merchant_suspended"]),
    );
    expect(mail[0]?.text).not.toContain(by.reason);
  });

  test("shows the time in the time zone of each owner and admin, with the zone's name", async () => {
    const { id } = await makeMerchant(deps);
    const [berlin, kolkata, utc] = [
      await addMember(id, "owner", "Europe/Berlin"),
      await addMember(id, "admin", "Asia/Kolkata"),
      await addMember(id, "admin"),
    ];
    await suspend(id);
    const zoneOf = async (recipient: string) => {
      const [mail] = await deps.db.prisma.mail.findMany({ where: { recipient } });
      return mail?.text.match(/Since: .*\d\d:\d\d\u00a0(\S+)/)?.[1];
    };
    const offset = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Berlin", timeZoneName: "short" })
      .formatToParts(deps.clock.now())
      .find(({ type }) => type === "timeZoneName")?.value;
    expect([await zoneOf(berlin), await zoneOf(kolkata), await zoneOf(utc)]).toEqual([offset, "GMT+5:30", "UTC"]);
  });

  test("concurrent suspensions and resumptions alternate, and the last one decides the state", async () => {
    const { id } = await makeMerchant(deps);
    await Promise.all(Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? suspend(id) : resume(id))));
    const acts = (await actsOn(id)).map(({ action }) => action);
    expect(acts).toEqual(acts.map((_, index) => (index % 2 === 0 ? "merchant.suspended" : "merchant.resumed")));
    const { merchant, history } = await getMerchant(deps, { merchantId: id });
    expect(merchant.suspendedAt !== null).toBe(acts.at(-1) === "merchant.suspended");
    expect(history).toHaveLength(acts.length);
  });

  test("a concurrent charge is either made or refused, and no charge is made after the suspension", async () => {
    const setup = await makeChargeableMandate(deps, { max_total_amount: 100_000 });
    const held = await setup.charge({ capture_method: "manual" });
    const attempts = Array.from({ length: 20 }, () => outcomeOf(setup.charge()));
    await suspend(setup.merchant.id);
    expect((await refusalOf(setup.charge())).code).toBe("merchant_suspended");
    const outcomes = await Promise.all(attempts);
    expect(outcomes.filter((outcome) => outcome !== "made" && outcome !== "merchant_suspended")).toEqual([]);
    const made = outcomes.filter((outcome) => outcome === "made").length;
    // A charge reserved before the suspension and not yet sent is voided.
    const sent = { mandateId: setup.mandateId, state: { not: "voided" } } as const;
    expect(await deps.db.prisma.charge.count({ where: sent })).toBe(made + 1);
    const caller = { merchantId: setup.merchant.id, clientId: setup.merchantClient.id, requestId: "req_test" };
    await requestCapture(deps, { ...caller, chargeId: held.chargeId, idempotencyKey: newId("req"), request: {} });
    expect(await setup.counters()).toMatchObject({ used: BigInt(made + 1) * 1_000n, held: 0n });
    await resume(setup.merchant.id);
    expect((await setup.charge()).status).toBe(201);
    expect(await findViolations(deps.db.sql)).toEqual([]);
  });

  test.each([2, 5, 9, 14])(
    "while two nodes charge, each charge that begins after the suspension is refused (suspended after %i charges)",
    async (before) => {
      const node = await anotherNode(deps);
      const { merchant, merchantClient, mandateId, counters } = await makeChargeableMandate(deps, {
        max_total_amount: 1_000_000,
      });
      let isSuspended = false;
      const attempts: { isAfter: boolean; outcome: string }[] = [];
      const chargeRepeatedly = async (on: TestDeps) => {
        for (let count = 0; count < 12; count += 1) {
          const isAfter = isSuspended;
          const outcome = await outcomeOf(
            requestCharge(on, {
              merchantId: merchant.id,
              clientId: merchantClient.id,
              requestId: "req_test",
              idempotencyKey: newId("req"),
              request: { mandate_id: mandateId, amount: 1_000, currency: "EUR", payer_presence: "in_session" },
            }),
          );
          attempts.push({ isAfter, outcome });
        }
      };
      const charging = Promise.all([deps, node, deps, node].map(chargeRepeatedly));
      while (attempts.length < before) await new Promise((resume) => setImmediate(resume));
      await suspend(merchant.id);
      isSuspended = true;
      await charging;
      const outcomesOf = (isAfter: boolean) => attempts.filter((one) => one.isAfter === isAfter);
      expect(new Set(outcomesOf(true).map(({ outcome }) => outcome))).toEqual(new Set(["merchant_suspended"]));
      const made = outcomesOf(false).filter(({ outcome }) => outcome === "made").length;
      expect(made).toBeGreaterThanOrEqual(before);
      // A charge that was reserved before the suspension and not yet sent is voided.
      const states = await deps.db.prisma.charge.groupBy({ by: ["state"], where: { mandateId }, _count: true });
      expect(states.filter(({ state }) => state !== "voided")).toEqual([{ state: "succeeded", _count: made }]);
      expect(await counters()).toMatchObject({ used: BigInt(made) * 1_000n, held: 0n });
      expect(await findViolations(deps.db.sql)).toEqual([]);
      await node.close();
    },
  );

  test("refuses an unknown merchant, and the merchant of the probes", async () => {
    const { id } = await makeMerchant(deps);
    await deps.db.prisma.merchant.update({ where: { id }, data: { isProbe: true } });
    for (const merchantId of ["mch_nowhere", id]) {
      expect((await refusalOf(suspend(merchantId))).kind).toBe("not_found");
      expect((await refusalOf(getMerchant(deps, { merchantId }))).kind).toBe("not_found");
    }
  });
});

test("merchants are found by id, part of a name and state, in pages sorted by name", async () => {
  const ids = await Promise.all(["Zebra b", "Zebra a", "Zebra c"].map((name) => makeNamed(name)));
  const [b, a, c] = ids;
  await suspend(c ?? "");
  const first = await searchMerchants(deps, { search: "zebra", limit: 2 });
  expect([first.merchants.map(({ id }) => id), first.hasMore]).toEqual([[a, b], true]);
  const next = await searchMerchants(deps, { search: "zebra", startingAfter: b, limit: 2 });
  expect([next.merchants.map(({ id }) => id), next.hasMore]).toEqual([[c], false]);
  const listed = async (standing: "suspended" | "active") =>
    (await searchMerchants(deps, { search: "ZEBRA", standing, limit: 5 })).merchants.map(({ id }) => id);
  expect([await listed("suspended"), await listed("active")]).toEqual([[c], [a, b]]);
  expect((await searchMerchants(deps, { search: a, limit: 5 })).merchants.map(({ id }) => id)).toEqual([a]);
});

const makeNamed = async (displayName: string): Promise<string> => {
  const { id } = await makeMerchant(deps);
  await deps.db.prisma.merchant.update({ where: { id }, data: { displayName } });
  return id;
};
