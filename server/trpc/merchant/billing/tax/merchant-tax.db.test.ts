import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { MerchantRole } from "../../../../accounts/authorize.ts";
import { searchOwnAudit } from "../../../../merchants/audit/search-merchant-audit.ts";
import { callerOf } from "../../../caller.fixture.ts";
import { makeMember } from "../../merchant-tenant.fixture.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
  await deps.db.prisma.$executeRaw`
    INSERT INTO billing_tax_rate_version (key, version, hash, definition, applied_at)
    VALUES ('DE', 1, 'h', '{"category":"S","rate":"19","behaviour":"exclusive"}', now())`;
});
afterAll(() => deps.close());

const fields = {
  legalName: "Fresh Market GmbH",
  line1: "Main 1",
  line2: "",
  postalCode: "10115",
  city: "Berlin",
  country: "DE",
  vatNumber: "de 123 456 789",
};

const makeApi = async (role: MerchantRole = "owner") => {
  const { id: merchantId } = await makeMerchant(deps);
  return { merchantId, api: callerOf(deps, await makeMember(deps, merchantId, role)).merchantTax };
};

type Refusal = { code?: string; cause?: { code?: string; errors?: readonly { pointer: string }[] } };
const refusalOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    ({ code, cause }: Refusal) => ({
      code: cause?.code ?? code,
      pointers: cause?.errors?.map(({ pointer }) => pointer),
    }),
  );

describe("tax details of a merchant (docs/spec/billing.md, Tax details)", () => {
  test("a member enters the details, and sees the tax and the state of the VAT number", async () => {
    const { api, merchantId } = await makeApi();
    expect(await api.details({ merchantId })).toMatchObject({ version: 0, values: null, vat: { status: "none" } });
    expect(await api.save({ merchantId, seenVersion: 0, ...fields })).toEqual({ version: 1 });
    expect(await api.details({ merchantId })).toMatchObject({
      version: 1,
      values: { ...fields, vatNumber: "DE123456789" },
      region: "DE",
      rate: { category: "S", rate: "19" },
      vat: { status: "unchecked", isChecked: false },
    });
    const { entries } = await searchOwnAudit(deps, { merchantId, topic: "billing", limit: 10 });
    expect(entries.map(({ action }) => action)).toEqual(["merchant.tax_details_changed"]);
  });

  test("details that someone else has changed aren't overwritten", async () => {
    const { api, merchantId } = await makeApi("admin");
    const tries = await Promise.all(
      ["Bonn", "Ulm", "Jena"].map((city) => refusalOf(api.save({ merchantId, seenVersion: 0, ...fields, city }))),
    );
    expect(tries.filter((one) => one === null)).toHaveLength(1);
    expect(tries.filter((one) => one?.code === "tax_details_changed")).toHaveLength(2);
    expect(await refusalOf(api.save({ merchantId, seenVersion: 1, ...fields, city: "Kiel" }))).toBeNull();
  });

  test("names the invalid field", async () => {
    const { api, merchantId } = await makeApi();
    const save = (change: Partial<typeof fields>) =>
      refusalOf(api.save({ merchantId, seenVersion: 0, ...fields, ...change }));
    expect(await save({ vatNumber: "DE12" })).toEqual({ code: "invalid_request", pointers: ["/vatNumber"] });
    expect(await save({ city: " " })).toEqual({ code: "invalid_request", pointers: ["/city"] });
    expect(await save({ country: "" })).toEqual({ code: "invalid_request", pointers: ["/country"] });
  });

  test("developers and viewers can read the details, but not change them", async () => {
    for (const role of ["developer", "viewer"] as const) {
      const { api, merchantId } = await makeApi(role);
      expect(await api.details({ merchantId })).toMatchObject({ version: 0 });
      expect(await refusalOf(api.save({ merchantId, seenVersion: 0, ...fields }))).toMatchObject({ code: "FORBIDDEN" });
    }
  });
});
