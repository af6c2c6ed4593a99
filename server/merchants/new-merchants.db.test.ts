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
import { reviewMerchant } from "./review-merchant.ts";

let sandbox: TestDeps;
let production: TestDeps;
beforeAll(async () => {
  const { processors } = scriptedProcessor();
  // As on a developer's machine.
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
  test("twenty concurrent requests of one form create one active merchant of the sandbox, with its owner and entry", async () => {
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

  test("the same key of another account creates another merchant", async () => {
    const [one, two] = await Promise.all([makePayer(sandbox), makePayer(sandbox)]);
    const first = await create(sandbox, one.id);
    expect((await create(sandbox, two.id)).merchantId).not.toBe(first.merchantId);
  });

  test("an account can't have more than three merchants that wait, even with concurrent requests", async () => {
    const { id } = await makePayer(production);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => create(production, id, `0123456789abcde${index}`)),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []));
    expect(new Set(refused)).toEqual(new Set(["too_many_pending_merchants"]));
  });
});

describe("an operator reviews a new merchant of production (docs/spec/portal.md, Start selling)", () => {
  test("until the approval it can't register apps or be a payee; operators and owners get one mail each", async () => {
    const operator = await makeOperator(production);
    const { id: accountId } = await makePayer(production);
    const owner = `${accountId.toLowerCase()}@example.test`;
    const { merchantId } = await create(production, accountId);
    expect((await mailTo(production, operator)).map(({ kind }) => kind)).toContain("merchant_review_needed");
    expect((await refusalOf(register(production, merchantId))).code).toBe("merchant_pending");
    const token = () => createInitialAccessToken(production, { kind: "merchant", merchantId, ...by });
    expect((await refusalOf(token())).code).toBe("merchant_pending");
    expect([...(await findRegisteredMerchantIds(production.db, [merchantId]))]).toEqual([]);
    expect(await production.db.prisma.participant.findUnique({ where: { merchantId } })).toBeNull();

    const approve = () => reviewMerchant(production, { merchantId, review: "approved", ...by });
    const answers = await Promise.all(Array.from({ length: 10 }, approve));
    expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect((await mailTo(production, owner)).map(({ kind }) => kind)).toEqual(["merchant_approved"]);
    expect([...(await findRegisteredMerchantIds(production.db, [merchantId]))]).toEqual([merchantId]);
    expect((await register(production, merchantId)).clientId).toMatch(/^cl_live/);
    expect(await actionsOn(production, merchantId)).toEqual(["merchant.created", "merchant.approved"]);
    const decline = reviewMerchant(production, { merchantId, review: "declined", ...by });
    expect((await refusalOf(decline)).code).toBe("merchant_already_approved");
  });

  test("a declined merchant's owners read the reason, and it can be approved later", async () => {
    const { id: accountId } = await makePayer(production);
    const { merchantId } = await create(production, accountId);
    const reason = "The website shows no products.";
    await reviewMerchant(production, { merchantId, review: "declined", ...by, reason });
    const [mail] = await mailTo(production, `${accountId.toLowerCase()}@example.test`);
    expect(mail?.text).toContain(reason);
    expect((await refusalOf(register(production, merchantId))).code).toBe("merchant_declined");
    expect(await reviewMerchant(production, { merchantId, review: "approved", ...by })).toEqual({ isNew: true });
    expect((await findMerchant(production.db.sql, merchantId))?.standing).toBe("active");
  });

  test("refuses an unknown merchant", async () => {
    const decision = reviewMerchant(production, { merchantId: "mch_nowhere", review: "approved", ...by });
    expect((await refusalOf(decision)).code).toBe("not_found");
  });
});

test.each([
  [{ review: "pending" }, "merchant_pending"],
  [{ review: "declined" }, "merchant_declined"],
  [{ chargesEnabled: false }, "processor_not_connected"],
] as const)("a merchant with %j is refused a charge with %s, and no charge is made", async (data, code) => {
  const setup = await makeChargeableMandate(sandbox);
  await sandbox.db.prisma.merchant.update({ where: { id: setup.merchant.id }, data });
  expect((await refusalOf(setup.charge())).code).toBe(code);
  expect(await sandbox.db.prisma.charge.count({ where: { merchantId: setup.merchant.id } })).toBe(0);
});
