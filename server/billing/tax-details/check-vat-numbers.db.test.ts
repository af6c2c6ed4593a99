import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findVatCheck } from "../../data/billing/tax-details/vat-checks.ts";
import type { Outbound } from "../../deps/outbound.ts";
import { OutboundError } from "../../platform/outbound/outbound.ts";
import { checkVatNumbers } from "./check-vat-numbers.ts";
import { setTaxDetails } from "./set-tax-details.ts";

let deps: TestDeps;
/** URLs that were requested */
let requested: string[];
let answer: () => unknown;

const outbound: Outbound = {
  urlProblem: () => null,
  async request({ url }) {
    requested.push(url);
    const body = Buffer.from(JSON.stringify(answer()));
    return { status: 200, headers: { "content-type": "application/json" }, body };
  },
};

beforeAll(async () => {
  deps = await createTestDeps({ outbound, config: { viesUrl: "https://vies.example/rest-api" } });
});
beforeEach(async () => {
  requested = [];
  answer = () => ({ isValid: true, userError: "VALID" });
  await deps.db.prisma.$executeRaw`UPDATE billing_vat_check SET due_at = NULL`;
});
afterAll(() => deps.close());

const by = { actor: { kind: "merchant", id: "acc_1" }, requestId: "req_1" } as const;
const address = { legalName: "Shop", line1: "Main 1", line2: null, postalCode: "10115", city: "Berlin" };
const set = (merchantId: string, vatNumber: string | null, country = "DE") =>
  setTaxDetails(deps, { merchantId, ...address, country, vatNumber, ...by });
const check = (own: TestDeps = deps) => checkVatNumbers(own, { limit: 50, requestId: "req_job" });
const resultsOf = async (merchantId: string) =>
  (
    await deps.db.prisma.$queryRaw<{ data: object }[]>`
      SELECT data FROM audit_entry WHERE subject_id = ${merchantId} AND action = 'merchant.vat_number_checked' ORDER BY seq`
  ).map(({ data }) => data);
const makeMerchantWithVatNumber = async (vatNumber: string): Promise<string> => {
  const { id } = await makeMerchant(deps);
  await set(id, vatNumber);
  return id;
};

describe("the check of VAT numbers in VIES (docs/spec/billing.md, Tax details)", () => {
  test("a number is checked once, and its result is stored and audited", async () => {
    const id = await makeMerchantWithVatNumber("DE123456789");
    expect(await findVatCheck(deps.db.sql, id, "DE123456789")).toMatchObject({ result: null });
    expect(await check()).toEqual({ isOff: false, checked: 1 });
    expect(requested).toEqual(["https://vies.example/rest-api/ms/DE/vat/123456789"]);
    expect(await findVatCheck(deps.db.sql, id, "DE123456789")).toMatchObject({ result: "valid" });
    expect(await resultsOf(id)).toEqual([{ result: "valid" }]);
    await setTaxDetails(deps, {
      merchantId: id,
      ...address,
      city: "Bonn",
      country: "DE",
      vatNumber: "DE123456789",
      ...by,
    });
    expect((await check()).checked).toBe(0);
  });

  test("if VIES is unavailable, the check is repeated later, and each new result is in the audit log once", async () => {
    const id = await makeMerchantWithVatNumber("DE111111111");
    answer = () => ({ isValid: false, userError: "MS_UNAVAILABLE" });
    await check();
    expect(await findVatCheck(deps.db.sql, id, "DE111111111")).toMatchObject({ result: "unavailable", attempts: 1 });
    expect((await check()).checked).toBe(0);
    deps.clock.advance(900);
    answer = () => {
      throw new OutboundError("timed_out", "no complete response in time");
    };
    await check();
    deps.clock.advance(1_800);
    answer = () => ({ isValid: false, userError: "INVALID" });
    await check();
    expect(await findVatCheck(deps.db.sql, id, "DE111111111")).toMatchObject({ result: "invalid", attempts: 3 });
    expect(await resultsOf(id)).toEqual([{ result: "unavailable" }, { result: "invalid" }]);
  });

  test("a number that was replaced or removed is no longer checked", async () => {
    const [replaced, removed] = [
      await makeMerchantWithVatNumber("DE222222222"),
      await makeMerchantWithVatNumber("DE333333333"),
    ];
    await set(replaced, "DE444444444");
    await set(removed, null);
    await check();
    expect(requested).toEqual(["https://vies.example/rest-api/ms/DE/vat/444444444"]);
    // An invalid number that is entered again is checked again.
    await set(replaced, "DE222222222");
    expect((await check()).checked).toBe(1);
  });

  test("a result for a number that was replaced during the request is dropped", async () => {
    const id = await makeMerchantWithVatNumber("DE555555555");
    answer = () => ({ isValid: false, userError: "INVALID" });
    const slow: Outbound = {
      ...outbound,
      async request(request) {
        await set(id, "DE666666666");
        return outbound.request(request);
      },
    };
    await checkVatNumbers({ ...deps, outbound: slow }, { limit: 1, requestId: "req_job" });
    expect(await findVatCheck(deps.db.sql, id, "DE555555555")).toMatchObject({ result: null });
    expect(await resultsOf(id)).toEqual([]);
  });

  test("a number of Northern Ireland is checked, but a number of Great Britain isn't", async () => {
    const { id } = await makeMerchant(deps);
    await set(id, "GB123456789", "GB");
    expect((await check()).checked).toBe(0);
    await set(id, "XI123456789", "GB");
    await check();
    expect(requested).toEqual(["https://vies.example/rest-api/ms/XI/vat/123456789"]);
  });

  test("two workers check each number once", async () => {
    const ids = await Promise.all(
      ["701", "702", "703", "704"].map((tail) => makeMerchantWithVatNumber(`DE000000${tail}`)),
    );
    const other = await anotherNode(deps);
    await Promise.all([check(), check({ ...other, outbound, config: deps.config })]);
    await other.close();
    expect(requested).toHaveLength(ids.length);
    expect(new Set(requested).size).toBe(ids.length);
  });

  test("without VIES_URL, no request is sent, and the number is checked when VIES_URL is set", async () => {
    const id = await makeMerchantWithVatNumber("DE888888888");
    const off = { ...deps, config: { ...deps.config, viesUrl: null } };
    expect(await checkVatNumbers(off, { limit: 50, requestId: "req_job" })).toEqual({ isOff: true, checked: 0 });
    expect(requested).toEqual([]);
    expect(await findVatCheck(deps.db.sql, id, "DE888888888")).toMatchObject({ result: null });
    expect((await check()).checked).toBe(1);
  });
});
