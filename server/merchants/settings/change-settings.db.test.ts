import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { listPastActs } from "../../audit/past-acts.ts";
import { refusalOf } from "../../charges/charge/charge-setup.fixture.ts";
import { enrolMerchant } from "../../directory/participants/enrol-participant.ts";
import type { SettingChange, SettingForm } from "../rules/settings.ts";
import { changeSettings } from "./change-settings.ts";
import { getSettings } from "./get-settings.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const by = { actor: { kind: "merchant", id: "acc_owner" }, requestId: "req_test" } as const;

const make = async (review: "approved" | "pending") => {
  const { id } = await makeMerchant(deps, { mcc: "5411" });
  const known = { legalName: "Fresh Market Ltd", displayName: "Fresh Market", country: "GB" };
  await deps.db.prisma.merchant.update({ where: { id }, data: { ...known, review } });
  const { versions } = await getSettings(deps, { merchantId: id });
  const save = (change: SettingChange, form: SettingForm = "details", version = versions[form]) =>
    changeSettings(deps, { merchantId: id, form, change, version, ...by });
  const settings = async () => (await getSettings(deps, { merchantId: id })).values;
  return { id, save, settings };
};

describe("changes of a merchant’s settings (docs/spec/portal.md, Settings)", () => {
  test("only one of twenty concurrent changes of one form succeeds, and its values are stored and audited", async () => {
    const { id, save, settings } = await make("approved");
    const names = Array.from({ length: 20 }, (_, index) => `Market ${index}`);
    const outcomes = await Promise.allSettled(names.map((displayName) => save({ displayName })));
    const winner = names.find((_, index) => outcomes[index]?.status === "fulfilled");
    const losers = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []));
    expect(losers).toEqual(Array.from({ length: 19 }, () => "settings_changed"));
    expect((await settings()).displayName).toBe(winner);
    expect(await listPastActs(deps, { subjectId: id, from: new Date(0) })).toMatchObject([
      {
        action: "merchant.settings_changed",
        actorId: "acc_owner",
        data: { before: { displayName: "Fresh Market" }, after: { displayName: winner } },
      },
    ]);
  });

  test("repeating a change makes no second audit entry, and another form’s version stays valid", async () => {
    const { id, save, settings } = await make("approved");
    const change = { websiteUri: "https://fresh.example/", timeZone: "Europe/London" };
    const { version } = await save(change);
    expect(await save(change)).toEqual({ version });
    await save({ statementDescriptor: "FRESH MARKET" }, "descriptor");
    expect(await settings()).toMatchObject({ ...change, statementDescriptor: "FRESH MARKET", country: "GB" });
    expect(await listPastActs(deps, { subjectId: id, from: new Date(0) })).toHaveLength(2);
  });

  test("after the approval, legal name, country and category are fixed, and a currency can be set once", async () => {
    const { save, settings } = await make("approved");
    for (const change of [{ legalName: "Other Ltd" }, { country: "DE" }, { mcc: "5812" }]) {
      const pointer = `/${Object.keys(change)[0]}`;
      const refusal = { code: "setting_fixed", errors: [expect.objectContaining({ pointer })] };
      await expect(save({ ...change, displayName: "Other" })).rejects.toMatchObject(refusal);
    }
    const { version } = await save({ currency: "GBP" });
    expect((await refusalOf(save({ currency: "EUR" }, "details", version))).code).toBe("setting_fixed");
    expect(await settings()).toMatchObject({ legalName: "Fresh Market Ltd", displayName: "Fresh Market", mcc: "5411" });
  });

  test("names can't be changed while the merchant or its entry is suspended, because the entry has the same names", async () => {
    const { id, save, settings } = await make("approved");
    const { environment } = deps.config;
    const at = deps.clock.now();
    await deps.db.sqlTransaction((sql) =>
      enrolMerchant(sql, { merchantId: id, changedBy: "operator", environment, at }),
    );
    const entry = () => deps.db.prisma.participant.findUniqueOrThrow({ where: { merchantId: id } });
    const suspendEntry = (suspendedAt: Date | null) =>
      deps.db.prisma.participant.update({ where: { merchantId: id }, data: { suspendedAt } });
    const suspendMerchant = (suspendedAt: Date | null) =>
      deps.db.prisma.merchant.update({ where: { id }, data: { suspendedAt } });
    const change = { displayName: "Other", websiteUri: "https://other.example/" };
    const errors = [expect.objectContaining({ pointer: "/displayName" })];
    for (const suspend of [suspendEntry, suspendMerchant]) {
      await suspend(at);
      await expect(save(change)).rejects.toMatchObject({ code: "participant_suspended", errors });
      await suspend(null);
    }
    expect(await settings()).toMatchObject({ displayName: "Fresh Market", websiteUri: null });
    expect(await entry()).toMatchObject({ displayName: "Fresh Market", version: 1 });
    await suspendEntry(at);
    const { version } = await save({ websiteUri: change.websiteUri });
    await suspendEntry(null);
    await save(change, "details", version);
    expect(await entry()).toMatchObject({ displayName: "Other", version: 2 });
  });

  test("before the approval, all details can be changed", async () => {
    const { save, settings } = await make("pending");
    const change = { legalName: "Other Ltd", country: "DE", mcc: "5812", currency: "EUR" };
    await save(change);
    expect(await settings()).toMatchObject(change);
  });
});
