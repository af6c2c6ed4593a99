import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { deleteExpiredRows } from "../../jobs/upkeep/delete-expired-rows.ts";
import { codeOf, enter, info, mailKindsTo, mailsTo, makeAccount, pairOf } from "../security.fixture.ts";
import { listSessions } from "../sessions/list-sessions.ts";
import { listSignIns } from "./list-sign-ins.ts";

const berlin = { country: "DE", city: "Berlin" };
let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ places: { find: (address) => (address === info.ipAddress ? berlin : null) } });
});
afterAll(() => deps.close());

const historyOf = (accountId: string, startingAfter: string | null = null) =>
  listSignIns(deps, { accountId, startingAfter, limit: 2 });

describe("sign-in history (docs/spec/portal.md, Sign-in history)", () => {
  it("lists attempts with device, place and outcome, newest first, in pages", async () => {
    const account = await makeAccount(deps);
    await enter(deps, account.email);
    deps.clock.advance(1);
    await codeOf(enter(deps, account.email, { password: "wrong" }));
    deps.clock.advance(1);
    await enter(deps, account.email);
    const first = await historyOf(account.id);
    expect(first.signIns).toMatchObject([
      { outcome: "signed_in", userAgent: info.userAgent, place: berlin, at: deps.clock.now() },
      { outcome: "wrong_password", place: berlin },
    ]);
    expect(first.hasMore).toBe(true);
    const second = await historyOf(account.id, first.signIns[1]?.id);
    expect(second).toMatchObject({ signIns: [{ outcome: "signed_in" }], hasMore: false });
    expect((await listSessions(deps, { accountId: account.id, limit: 1 })).sessions[0]?.place).toEqual(berlin);
  });

  it("shows only the account's own attempts, even with another account's cursor", async () => {
    const [own, other] = [await makeAccount(deps), await makeAccount(deps)];
    await enter(deps, own.email);
    await enter(deps, other.email);
    const cursor = (await historyOf(other.id)).signIns[0]?.id ?? null;
    expect((await historyOf(own.id)).signIns).toHaveLength(1);
    expect((await historyOf(own.id, cursor)).signIns).toHaveLength(0);
  });

  it("keeps entries for 90 days", async () => {
    const account = await makeAccount(deps);
    await enter(deps, account.email);
    deps.clock.advance(89 * 24 * 3_600);
    await deleteExpiredRows(deps);
    expect((await historyOf(account.id)).signIns).toHaveLength(1);
    deps.clock.advance(2 * 24 * 3_600);
    await deleteExpiredRows(deps);
    expect((await historyOf(account.id)).signIns).toHaveLength(0);
  });
});

describe("mail about a new sign-in", () => {
  it("is sent for a browser that is unknown to the account, not for a known one", async () => {
    const account = await makeAccount(deps, { locale: "de-DE" });
    deps.clock.advance(2 * 3_600);
    const { knownBrowserCookie } = await enter(deps, account.email);
    expect(await mailKindsTo(deps, account.email)).toEqual(["new_sign_in"]);
    const [mail] = await mailsTo(deps, account.email);
    expect(mail?.text).toContain("Firefox · Linux");
    expect(mail?.text).toContain("Berlin, Deutschland");
    await enter(deps, account.email, { cookieHeader: pairOf(knownBrowserCookie) });
    expect(await mailKindsTo(deps, account.email)).toEqual(["new_sign_in"]);
    await enter(deps, account.email);
    expect(await mailKindsTo(deps, account.email)).toEqual(["new_sign_in", "new_sign_in"]);
  });

  it("isn't sent for the first session of a new account, and is sent for the second", async () => {
    const account = await makeAccount(deps);
    await enter(deps, account.email);
    expect(await mailKindsTo(deps, account.email)).toEqual([]);
    await enter(deps, account.email);
    expect(await mailKindsTo(deps, account.email)).toEqual(["new_sign_in"]);
  });
});
