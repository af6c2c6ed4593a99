import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../../charges/charge/charge-setup.fixture.ts";
import { setNotification } from "../../data/accounts/notification-choices.ts";
import { disconnectClient } from "../../oauth/connected/disconnect-client.ts";
import { revokeGrant } from "../../oauth/grants/revoke-grant.ts";
import { requestDeletion } from "../../privacy/request-deletion.ts";
import { narrowMandate } from "../lifecycle/narrow-mandate.ts";
import { resumeMandate } from "../lifecycle/resume-mandate.ts";
import { revokeMandate } from "../lifecycle/revoke-mandate.ts";
import { suspendMandate } from "../lifecycle/suspend-mandate.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
});
afterAll(() => deps.close());

type Setup = Awaited<ReturnType<typeof makeChargeableMandate>>;
const mailsTo = async ({ payer }: Setup) => {
  const { email } = await deps.db.prisma.account.findUniqueOrThrow({ where: { id: payer.id } });
  return deps.db.prisma.mail.findMany({ where: { recipient: email }, orderBy: { createdAt: "asc" } });
};
const subjectsTo = async (setup: Setup) => (await mailsTo(setup)).map(({ subject }) => subject);
const byPayer = ({ mandateId, payer }: Setup) => ({
  mandateId,
  actor: { kind: "payer", id: payer.id } as const,
  requestId: "req_test",
});
const byOperator = ({ mandateId }: Setup) => ({
  mandateId,
  actor: { kind: "operator", id: "acc_operator" } as const,
  requestId: "req_test",
  reason: "Chargebacks are under investigation",
});

describe("an e-mail about a changed mandate (docs/spec/portal.md, Notifications)", () => {
  test("names who suspended or resumed the mandate, but doesn't contain an operator's reason", async () => {
    const setup = await makeChargeableMandate(deps, { purpose: "Groceries" });
    await suspendMandate(deps, byOperator(setup));
    await resumeMandate(deps, byOperator(setup));
    const mails = await mailsTo(setup);
    expect(mails.map(({ kind, state }) => [kind, state])).toEqual([
      ["mandate_changed", "pending"],
      ["mandate_changed", "pending"],
    ]);
    expect(mails[0]?.subject).toMatch(/ is paused$/);
    expect(mails[1]?.subject).toMatch(/ can pay for you again$/);
    for (const { text, html } of mails) {
      expect(text).toContain("By: The Paygrant team");
      expect(text).toContain("For: Groceries");
      expect(text).toContain(`https://wallet.test/wallet/mandates/${setup.mandateId}`);
      expect(text + html).not.toContain("investigation");
    }
  });

  test("isn't sent for the payer's own pause, or when an operator resumes a mandate that the payer paused", async () => {
    const setup = await makeChargeableMandate(deps);
    await suspendMandate(deps, byPayer(setup));
    await suspendMandate(deps, byOperator(setup));
    await resumeMandate(deps, byOperator(setup));
    await resumeMandate(deps, byPayer(setup));
    expect(await subjectsTo(setup)).toEqual([expect.stringMatching(/ is paused$/)]);
  });

  test("is sent for a lower limit and for each way to stop a mandate, once per change and client", async () => {
    const setup = await makeChargeableMandate(deps);
    await narrowMandate(deps, { ...byPayer(setup), narrowing: { max_amount_per_payment: 100 } });
    expect((await mailsTo(setup))[0]?.text).toContain("At most €1.00 each payment");
    await revokeMandate(deps, byPayer(setup));
    expect(await subjectsTo(setup)).toEqual([
      expect.stringMatching(/^\[Sandbox\] A limit of .* was lowered$/),
      expect.stringMatching(/ is stopped$/),
    ]);
    const ended = await makeChargeableMandate(deps);
    const [grantId, clientId] = [ended.grant.id, ended.agent.id];
    await revokeGrant(deps, { grantId, clientId, requestId: "req_test", reason: "grant_deleted" });
    await revokeGrant(deps, { grantId, clientId, requestId: "req_test", reason: "grant_deleted" });
    expect((await mailsTo(ended)).map(({ text }) => /By: (.*)/.exec(text)?.[1])).toEqual(["The app"]);
    const app = await makeChargeableMandate(deps);
    await disconnectClient(deps, { payerId: app.payer.id, clientId: app.agent.id, requestId: "req_test" });
    expect((await mailsTo(app)).map(({ text }) => /By: (.*)/.exec(text)?.[1])).toEqual(["You"]);
  });

  test("is in the payer's language, and isn't sent after the payer switched it off", async () => {
    const setup = await makeChargeableMandate(deps);
    await deps.db.prisma.account.update({ where: { id: setup.payer.id }, data: { locale: "de-DE" } });
    await suspendMandate(deps, byOperator(setup));
    await setNotification(deps.db.sql, { accountId: setup.payer.id, kind: "mandate_changed", isOn: false });
    await resumeMandate(deps, byOperator(setup));
    expect(await subjectsTo(setup)).toEqual([expect.stringMatching(/ ist pausiert$/)]);
  });

  test("isn't sent when the account's deletion stops the mandates: the deletion has its own e-mail", async () => {
    const setup = await makeChargeableMandate(deps);
    const account = await deps.db.prisma.account.findUniqueOrThrow({ where: { id: setup.payer.id } });
    await requestDeletion(deps, { account, requestId: "req_test" });
    expect((await mailsTo(setup)).map(({ kind }) => kind)).toEqual(["deletion_scheduled"]);
  });

  test("isn't sent if its transaction is rolled back", async () => {
    const setup = await makeChargeableMandate(deps);
    const failing = deps.db.sqlTransaction(async (sql) => {
      await revokeMandate(deps, { ...byPayer(setup), tx: { sql } });
      throw new Error("stop");
    });
    await expect(failing).rejects.toThrow("stop");
    expect(await mailsTo(setup)).toEqual([]);
  });
});
