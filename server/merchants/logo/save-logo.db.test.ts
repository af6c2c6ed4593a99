import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { listPastActs } from "../../audit/past-acts.ts";
import { listMerchantBrands } from "../../data/merchants/merchant-brands.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { toBrand } from "../brand.ts";
import { makePng } from "../rules/logo/png.fixture.ts";
import { getLogo } from "./get-logo.ts";
import { saveLogo } from "./save-logo.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const by = { actor: { kind: "merchant", id: "acc_owner" }, requestId: "req_test" } as const;
const save = (merchantId: string, content: Buffer | null, replaces: string | null) =>
  saveLogo(deps, { merchantId, content, replaces, ...by });
const actsOn = async (subjectId: string) =>
  (await listPastActs(deps, { subjectId, from: new Date(0) })).map(({ action, data }) => [action, data]);

describe("a merchant’s logo (docs/spec/portal.md, Settings)", () => {
  test("only one of several concurrent uploads succeeds, and only the newest logo has a URL", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const pictures = Array.from({ length: 10 }, (_, index) => makePng(64 + index, 64));
    const outcomes = await Promise.allSettled(pictures.map((picture) => save(merchantId, picture, null)));
    const hashes = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value.hash ?? ""] : []));
    const [first = ""] = hashes;
    expect(hashes).toHaveLength(1);
    const winner = pictures.find((picture) => sha256Base64url(picture) === first);
    const logo = await getLogo(deps, { merchantId, hash: first });
    expect([logo.mediaType, logo.content]).toEqual(["image/png", winner]);

    const { hash: second } = await save(merchantId, makePng(100, 100), first);
    await expect(getLogo(deps, { merchantId, hash: first })).rejects.toMatchObject({ code: "not_found" });
    await expect(save(merchantId, null, first)).rejects.toMatchObject({ code: "settings_changed" });
    expect(await save(merchantId, null, second)).toEqual({ hash: null });
    expect(await save(merchantId, null, second)).toEqual({ hash: null });
    await expect(getLogo(deps, { merchantId, hash: second ?? "" })).rejects.toMatchObject({ code: "not_found" });
    expect(await actsOn(merchantId)).toEqual([
      ["merchant.logo_changed", { before: { logo: second }, after: { logo: null } }],
      ["merchant.logo_changed", { before: { logo: first }, after: { logo: second } }],
      ["merchant.logo_changed", { before: { logo: null }, after: { logo: first } }],
    ]);
  });

  test("a file that isn’t a picture is refused at its field", async () => {
    const { id } = await makeMerchant(deps);
    await expect(save(id, Buffer.from("<svg/>"), null)).rejects.toMatchObject({
      code: "logo_refused",
      errors: [{ pointer: "/content" }],
    });
    expect(await actsOn(id)).toEqual([]);
  });

  test("payers see logo and color only while the merchant is approved and not suspended", async () => {
    const { id } = await makeMerchant(deps);
    const { hash } = await save(id, makePng(64, 64), null);
    const become = async (data: object) => {
      await deps.db.prisma.merchant.update({ where: { id }, data });
      return toBrand((await listMerchantBrands(deps.db.sql, [id])).get(id));
    };
    const brand = { logoUri: `/logos/${id}/${hash}`, accentColor: "#1a7f37" };
    expect(await become({ accentColor: "#1a7f37" })).toEqual(brand);
    expect(await become({ suspendedAt: new Date() })).toBeNull();
    expect(await become({ suspendedAt: null, review: "pending" })).toBeNull();
    expect(await become({ review: "approved" })).toEqual(brand);
  });
});
