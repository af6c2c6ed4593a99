import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePayer } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { admitSignUp } from "../../accounts/sign-up/admit-sign-up.ts";
import { refusalOf } from "../../charges/charge/charge-setup.fixture.ts";
import { newId } from "../../kernel/ids.ts";
import { inviteMerchant } from "./invite-merchant.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ config: { signUp: "invite" } });
});
afterAll(() => deps?.close());

const newEmail = () => `${newId("acc").toLowerCase()}@example.test`;
const by = {
  actor: { kind: "operator", id: "acc_operator" },
  requestId: "req_test",
  reason: "Asked by phone",
} as const;
const lastMailTo = async (recipient: string) => {
  const mail = await deps.db.prisma.mail.findFirstOrThrow({ where: { recipient }, orderBy: { id: "desc" } });
  return { id: mail.id, kind: mail.kind, link: new URL(/https?:\S+/.exec(mail.text)?.[0] ?? "") };
};

describe("an operator invites a merchant (docs/spec/portal.md, Start selling)", () => {
  test("the link works for 7 days, lets only the invited address sign up, and leads to the registration of a merchant", async () => {
    const email = newEmail();
    await inviteMerchant(deps, { ...by, email: ` ${email.toUpperCase()}` });
    const { id, kind, link } = await lastMailTo(email);
    expect([kind, link.pathname, link.searchParams.get("return_to")]).toEqual([
      "merchant_invitation",
      "/sign-up",
      "/merchant/new",
    ]);
    const invitation = link.searchParams.get("invitation");
    const admit = () => admitSignUp(deps, { returnTo: "/merchant/new", invitation });
    expect(await admit()).toEqual({ kind: "admitted", invited: email });
    deps.clock.advance(7 * 24 * 3600);
    expect(await admit()).toEqual({ kind: "refused", reason: "invite_only" });
    const audit = await deps.db.prisma.$queryRaw<{ action: string; actor: string; data: object }[]>`
      SELECT action, actor_id AS actor, data FROM audit_entry WHERE subject_id = ${id}`;
    expect(audit).toEqual([{ action: "merchant.invited", actor: by.actor.id, data: { reason: by.reason } }]);
  });

  test("the link of a person with an account leads to the registration", async () => {
    const { id } = await makePayer(deps);
    const { email } = await deps.db.prisma.account.findUniqueOrThrow({ where: { id } });
    await inviteMerchant({ ...deps, config: { ...deps.config, signUp: "closed" } }, { ...by, email });
    expect((await lastMailTo(email)).link.href).toBe(`${deps.config.walletUrl}/merchant/new`);
  });

  test("refuses an invalid address, and a person without an account while sign-up is closed", async () => {
    const closed = { ...deps, config: { ...deps.config, signUp: "closed" as const } };
    const email = newEmail();
    expect(await refusalOf(inviteMerchant(deps, { ...by, email: "bakery" }))).toMatchObject({ code: "email_invalid" });
    expect(await refusalOf(inviteMerchant(closed, { ...by, email }))).toMatchObject({ code: "sign_up_closed" });
    expect(await deps.db.prisma.mail.count({ where: { recipient: email } })).toBe(0);
  });
});
