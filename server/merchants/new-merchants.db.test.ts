import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePayer } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findMemberRole } from "../accounts/memberships.ts";
import { listPastActs } from "../audit/past-acts.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../charges/charge/charge-setup.fixture.ts";
import { findRegisteredMerchantIds } from "../data/mandates/mandates.ts";
import { findMerchant } from "../data/merchants/merchants.ts";
import { createInitialAccessToken } from "../oauth/initial-tokens/create-initial-access-token.ts";
import { registerOwnClient } from "../oauth/own-clients/register-own-client.ts";
import { createMerchant } from "./create-merchant.ts";
import { getMerchant } from "./get-merchant.ts";
import { reviewMerchant } from "./review-merchant.ts";
import type { SettingChange } from "./rules/settings.ts";
import { setCategory } from "./set-category.ts";
import { changeSettings } from "./settings/change-settings.ts";

let sandbox: TestDeps;
let production: TestDeps;
beforeAll(async () => {
  const { processors } = scriptedProcessor();
  // Production has a simulator too, as on a developer's machine.
  const config = { simulatorUrl: "http://127.0.0.1:1" };
  [sandbox, production] = await Promise.all([
    createTestDeps({ processors, config }),
    createTestDeps({ processors, config: { ...config, environment: "production" } }),
  ]);
});
afterAll(() => Promise.all([sandbox.close(), production.close()]));

const details = {
  legalName: "Corner Bakery Ltd",
  displayName: "Corner Bakery",
  country: "GB",
  websiteUri: "https://bakery.example/",
  mcc: "5462",
  currency: "GBP",
  timeZone: "Europe/London",
};
const jwk = {
  kty: "EC",
  crv: "P-256",
  kid: "first",
  x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
};
const by = { actor: { kind: "operator", id: "acc_operator" }, requestId: "req_test", reason: "Known shop" } as const;
const create = (deps: TestDeps, accountId: string, key = "0123456789abcdef") =>
  createMerchant(deps, { accountId, key, details, requestId: "req_test" });
const actionsOn = async (deps: TestDeps, subjectId: string) =>
  (await listPastActs(deps, { subjectId, from: new Date(0) })).map(({ action }) => action).toReversed();
const mailTo = (deps: TestDeps, recipient: string) =>
  deps.db.prisma.mail.findMany({ where: { recipient }, orderBy: { createdAt: "asc" } });
const makeOperator = async (deps: TestDeps) => {
  const { id } = await makePayer(deps);
  await deps.db.prisma.account.update({ where: { id }, data: { operatorRole: "admin", isOperator: true } });
  return `${id.toLowerCase()}@example.test`;
};
const register = (deps: TestDeps, merchantId: string) =>
  registerOwnClient(deps, { merchantId, name: "Checkout", scopes: ["charges.read"], jwk, ...by });

describe("a new merchant (docs/spec/portal.md, Start selling)", () => {
  test("twenty concurrent requests of one form create one active merchant of the sandbox, with its owner and directory entry", async () => {
    const { id: accountId } = await makePayer(sandbox);
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(sandbox, accountId)));
    expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
    const [merchantId = "", ...others] = [...new Set(answers.map((answer) => answer.merchantId))];
    expect(others).toEqual([]);
    expect(await findMemberRole(sandbox, { accountId, merchantId })).toBe("owner");
    expect(await findMerchant(sandbox.db.sql, merchantId)).toMatchObject({
      legalName: details.legalName,
      displayName: details.displayName,
      mcc: details.mcc,
      standing: "active",
      processor: "simulator",
      processorAccount: `acct_${merchantId}`,
    });
    expect(await sandbox.db.prisma.participant.findUnique({ where: { merchantId } })).toMatchObject({
      displayName: details.displayName,
      websiteUri: details.websiteUri,
    });
    expect(await actionsOn(sandbox, merchantId)).toEqual(["merchant.created"]);
    expect((await register(sandbox, merchantId)).clientId).toMatch(/^cl_test/);
  });

  test("the same key, sent by another account, creates another merchant", async () => {
    const [one, two] = await Promise.all([makePayer(sandbox), makePayer(sandbox)]);
    const first = await create(sandbox, one.id);
    expect((await create(sandbox, two.id)).merchantId).not.toBe(first.merchantId);
  });

  test("an account can't have more than three merchants that wait for approval, even with concurrent requests", async () => {
    const { id } = await makePayer(production);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => create(production, id, `0123456789abcde${index}`)),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []));
    expect(new Set(refused)).toEqual(new Set(["too_many_pending_merchants"]));
  });
});

const versionOf = async (merchantId: string) => (await getMerchant(production, { merchantId })).version;
/** Decides about the details that the page showed; by default, the current ones. */
const decide = async (merchantId: string, review: "approved" | "declined", version?: string) =>
  reviewMerchant(production, { merchantId, review, version: version ?? (await versionOf(merchantId)), ...by });
const change = (merchantId: string, version: string, values: SettingChange) =>
  changeSettings(production, {
    merchantId,
    form: "details",
    change: values,
    version,
    actor: { kind: "merchant", id: "acc_owner" },
    requestId: "req_test",
  });

describe("an operator reviews a new merchant of production (docs/spec/portal.md, Start selling)", () => {
  test("until the approval, the merchant can't register apps or be a payee; operators and owners get one e-mail each", async () => {
    const operator = await makeOperator(production);
    const { id: accountId } = await makePayer(production);
    const owner = `${accountId.toLowerCase()}@example.test`;
    const { merchantId } = await create(production, accountId);
    expect((await mailTo(production, operator)).map(({ kind }) => kind)).toContain("merchant_review_needed");
    expect((await refusalOf(register(production, merchantId))).code).toBe("merchant_pending");
    const token = () => createInitialAccessToken(production, { kind: "merchant", merchantId, ...by });
    expect((await refusalOf(token())).code).toBe("merchant_pending");
    const suspend = (suspendedAt: Date | null) =>
      production.db.prisma.merchant.update({ where: { id: merchantId }, data: { suspendedAt } });
    await suspend(production.clock.now());
    expect((await refusalOf(register(production, merchantId))).code).toBe("merchant_pending");
    await suspend(null);
    expect([...(await findRegisteredMerchantIds(production.db, [merchantId]))]).toEqual([]);
    expect(await production.db.prisma.participant.findUnique({ where: { merchantId } })).toBeNull();

    const answers = await Promise.all(Array.from({ length: 10 }, () => decide(merchantId, "approved")));
    expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect((await mailTo(production, owner)).map(({ kind }) => kind)).toEqual(["merchant_approved"]);
    expect([...(await findRegisteredMerchantIds(production.db, [merchantId]))]).toEqual([merchantId]);
    expect((await register(production, merchantId)).clientId).toMatch(/^cl_live/);
    expect(await actionsOn(production, merchantId)).toEqual(["merchant.created", "merchant.approved"]);
    expect((await refusalOf(decide(merchantId, "declined"))).code).toBe("merchant_already_approved");
  });

  test("a declined merchant's owners read the reason, and it can be approved later", async () => {
    const { id: accountId } = await makePayer(production);
    const { merchantId } = await create(production, accountId);
    const reason = "The website shows no products.";
    const version = await versionOf(merchantId);
    await reviewMerchant(production, { merchantId, review: "declined", version, ...by, reason });
    const [mail] = await mailTo(production, `${accountId.toLowerCase()}@example.test`);
    expect(mail?.text).toContain(reason);
    expect((await refusalOf(register(production, merchantId))).code).toBe("merchant_declined");
    expect(await decide(merchantId, "approved")).toEqual({ isNew: true });
    expect((await findMerchant(production.db.sql, merchantId))?.standing).toBe("active");
  });

  test("a decision about outdated details is refused, even for a declined merchant", async () => {
    const { merchantId } = await create(production, (await makePayer(production)).id);
    const changes: SettingChange[] = [
      { legalName: "Another Ltd" },
      { displayName: "Another" },
      { country: "DE" },
      { websiteUri: "https://another.example/" },
      { mcc: "5812" },
      { currency: "EUR" },
      { timeZone: "Europe/Berlin" },
    ];
    for (const values of changes) {
      const version = await versionOf(merchantId);
      await change(merchantId, version, values);
      for (const review of ["approved", "declined"] as const)
        expect((await refusalOf(decide(merchantId, review, version))).code).toBe("merchant_details_changed");
    }
    const seen = await versionOf(merchantId);
    await setCategory(production, { merchantId, category: "5462", ...by });
    expect((await refusalOf(decide(merchantId, "declined", seen))).code).toBe("merchant_details_changed");
    const declined = await versionOf(merchantId);
    await decide(merchantId, "declined", declined);
    await change(merchantId, declined, { legalName: "Yet Another Ltd" });
    // A repeated decision changes nothing, so it isn't refused.
    expect(await decide(merchantId, "declined", declined)).toEqual({ isNew: false });
    expect((await refusalOf(decide(merchantId, "approved", declined))).code).toBe("merchant_details_changed");
    expect(await actionsOn(production, merchantId)).not.toContain("merchant.approved");
    expect(await decide(merchantId, "approved")).toEqual({ isNew: true });
  });

  test("if the details change during an approval, only the details that the operator saw can be approved", async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      const { merchantId } = await create(production, (await makePayer(production)).id);
      const version = await versionOf(merchantId);
      const fraud = { legalName: "Another Ltd", mcc: "7995" };
      const attempts = [() => decide(merchantId, "approved", version), () => change(merchantId, version, fraud)];
      if (round % 2 === 1) attempts.reverse();
      await Promise.allSettled(attempts.map((attempt) => attempt()));
      const { review, legalName, mcc } = (await getMerchant(production, { merchantId })).merchant;
      outcomes.add(`${review} ${legalName} ${mcc}`);
    }
    const allowed = ["approved Corner Bakery Ltd 5462", "pending Another Ltd 7995"];
    expect([...outcomes].filter((outcome) => !allowed.includes(outcome))).toEqual([]);
  });

  test("refuses an unknown merchant", async () => {
    expect((await refusalOf(decide("mch_nowhere", "approved", "v"))).code).toBe("not_found");
  });
});

test.each([
  [{ review: "pending" }, "merchant_pending"],
  [{ review: "declined" }, "merchant_declined"],
  [{ chargesEnabled: false }, "processor_not_connected"],
] as const)("a charge by a merchant with %j is refused with %s, and no charge is made", async (data, code) => {
  const setup = await makeChargeableMandate(sandbox);
  await sandbox.db.prisma.merchant.update({ where: { id: setup.merchant.id }, data });
  expect((await refusalOf(setup.charge())).code).toBe(code);
  expect(await sandbox.db.prisma.charge.count({ where: { merchantId: setup.merchant.id } })).toBe(0);
});
