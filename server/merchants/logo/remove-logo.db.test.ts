import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { refusalOf } from "../../charges/charge/charge-setup.fixture.ts";
import { findMerchantLogoHash } from "../../data/merchants/merchant-logos.ts";
import { searchOwnAudit } from "../audit/search-merchant-audit.ts";
import { makePng } from "../rules/logo/png.fixture.ts";
import { removeLogo } from "./remove-logo.ts";
import { saveLogo } from "./save-logo.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const requestId = "req_test";
const save = async (merchantId: string, content: Buffer, replaces: string | null): Promise<string> =>
  (await saveLogo(deps, { merchantId, content, replaces, actor: { kind: "merchant", id: "acc_owner" }, requestId }))
    .hash ?? "";
const remove = (merchantId: string, hash: string) =>
  removeLogo(deps, {
    merchantId,
    hash,
    reason: "It is a bank’s logo",
    actor: { kind: "operator", id: "acc_operator" },
    requestId,
  });
const audit = async (merchantId: string) => (await searchOwnAudit(deps, { merchantId, limit: 50 })).entries;

describe("an operator removes a merchant’s logo (docs/spec/portal.md, Settings)", () => {
  test("ten concurrent removals remove the logo once; members can read the reason, but not who removed it", async () => {
    const { id } = await makeMerchant(deps);
    const hash = await save(id, makePng(64, 64), null);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => remove(id, hash)));
    expect(outcomes.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await findMerchantLogoHash(deps.db.sql, id)).toBeNull();
    const [removal, upload, ...others] = await audit(id);
    expect([upload?.action, others]).toEqual(["merchant.logo_changed", []]);
    expect(removal).toMatchObject({
      action: "merchant.logo_removed",
      actor: { kind: "operator", id: null, name: null },
      data: { before: { logo: hash }, after: { logo: null }, reason: "It is a bank’s logo" },
    });
  });

  test("a logo that the operator didn’t see isn’t removed, even if it is uploaded at the same time", async () => {
    const { id } = await makeMerchant(deps);
    let shown = await save(id, makePng(64, 64), null);
    for (let round = 0; round < 10; round += 1) {
      const next = makePng(65 + round, 64);
      const both = [() => remove(id, shown), () => save(id, next, shown)];
      if (round % 2 === 1) both.reverse();
      const outcomes = await Promise.allSettled(both.map((call) => call()));
      // One of the two calls is first. The other is refused, because it names a logo that no longer exists.
      expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(1);
      const current = await findMerchantLogoHash(deps.db.sql, id);
      expect(current).not.toBe(shown);
      shown = current ?? (await save(id, makePng(64, 70 + round), null));
    }
    expect((await refusalOf(remove(id, "A".repeat(43)))).code).toBe("logo_changed");
    expect(await findMerchantLogoHash(deps.db.sql, id)).toBe(shown);
  });

  test("refuses an unknown merchant", async () => {
    expect((await refusalOf(remove("mch_nowhere", "A".repeat(43)))).code).toBe("not_found");
  });
});
