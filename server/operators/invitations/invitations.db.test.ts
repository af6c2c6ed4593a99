import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePayer } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { OperatorRole } from "../../accounts/authorize.ts";
import { whileAccountIsLocked } from "../../accounts/security.fixture.ts";
import { findSession, type SessionContext } from "../../accounts/sessions/find-session.ts";
import { openSession, passkeyAcr, passwordAcr } from "../../accounts/sessions/sessions.ts";
import { refusalOf } from "../../charges/charge/charge-setup.fixture.ts";
import { lockAccount } from "../../data/accounts/accounts.ts";
import { newId } from "../../kernel/ids.ts";
import { changeOperatorRole } from "../team/change-operator-role.ts";
import { listOperators } from "../team/list-operators.ts";
import { removeOperator } from "../team/remove-operator.ts";
import { acceptByPassword, beginInvitationPasskey } from "./accept-as-new-account.ts";
import { acceptOperatorInvitation } from "./accept-operator-invitation.ts";
import { findOperatorInvitation } from "./find-operator-invitation.ts";
import { inviteOperator } from "./invite-operator.ts";

const info = { requestId: "req_test", ipAddress: "203.0.113.9", userAgent: "Vitest" };
const by = {
  actor: { kind: "operator", id: "command-line" } as const,
  requestId: info.requestId,
  reason: "Joined the team",
};
const password = "correct horse battery";
let deps: TestDeps;

beforeAll(async () => {
  deps = await createTestDeps({ config: { isLoopback: false } });
});
afterAll(() => deps?.close());

const newEmail = () => `${newId("acc").toLowerCase()}@example.test`;
const tokenOf = ({ link }: { link: string }) => new URL(link).searchParams.get("token") ?? "";
const invite = async (email: string, role: OperatorRole = "admin") =>
  tokenOf(await inviteOperator(deps, { email, role, ...by }));

const person = { name: "Ola", locale: "en-GB", timeZone: "UTC", cookieHeader: null, info };
const accept = (token: string) => acceptByPassword(deps, { ...person, token, password });

const signIn = async (accountId: string, acr = passwordAcr): Promise<SessionContext> => {
  const now = deps.clock.now();
  const { secret } = await deps.db.transaction((tx) => openSession(tx, { accountId, acr, info, now }));
  const session = await findSession(deps, `__Host-pg_test=${secret}`);
  if (!session) throw new Error("no session");
  return session;
};

const accountOf = (email: string) =>
  deps.db.prisma.account.findUnique({
    where: { email },
    select: { id: true, operatorRole: true, isOperator: true, emailVerifiedAt: true },
  });

const makeOperator = async (role: OperatorRole) => {
  const email = newEmail();
  const { accountId } = await accept(await invite(email, role));
  return { id: accountId, email };
};

const actionsOf = async (subjectId: string) => {
  const entries = await deps.db.prisma.$queryRaw<{ action: string; id: string }[]>`
    SELECT action, actor_id AS id FROM audit_entry WHERE subject_id = ${subjectId} ORDER BY seq`;
  return entries.map(({ action, id }) => `${action} by ${id}`);
};

describe("a one-time link makes a person an operator (docs/spec/portal.md, Operators)", () => {
  test("a person without an account gets an account with the invited address, already verified", async () => {
    const email = newEmail();
    const token = await invite(email.toUpperCase(), "support");
    expect(await findOperatorInvitation(deps, { token })).toMatchObject({ email, role: "support", hasAccount: false });
    expect((await refusalOf(acceptByPassword(deps, { ...person, token, password: "short" }))).code).toBe(
      "password_too_short",
    );
    const { accountId } = await accept(token);
    expect(await accountOf(email)).toMatchObject({
      id: accountId,
      operatorRole: "support",
      isOperator: true,
      emailVerifiedAt: deps.clock.now(),
    });
    expect(await actionsOf(accountId)).toEqual([`account.created by ${accountId}`, `operator.added by ${accountId}`]);
    expect(await findOperatorInvitation(deps, { token })).toBeNull();
  });

  test("the link works once, even if ten people open it at the same time", async () => {
    const token = await invite(newEmail());
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => accept(token)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await refusalOf(accept(token))).code).toBe("invitation_gone");
  });

  test("the link is stored as a hash, and is valid for 24 hours or until a new link replaces it", async () => {
    const email = newEmail();
    const first = await invite(email, "viewer");
    const rows = await deps.db.prisma.operatorInvitation.findMany({ where: { email } });
    expect(JSON.stringify(rows)).not.toContain(first);
    const second = await invite(email, "support");
    expect(await findOperatorInvitation(deps, { token: first })).toBeNull();
    expect(await findOperatorInvitation(deps, { token: second })).toMatchObject({ role: "support" });
    deps.clock.advance(24 * 3600);
    expect(await findOperatorInvitation(deps, { token: second })).toBeNull();
    expect((await refusalOf(accept(second))).code).toBe("invitation_gone");
    expect((await accept(await invite(email, "viewer"))).accountId).toMatch(/^acc_/);
  });

  test("a person with an account signs in and accepts; another account can't accept", async () => {
    const payer = await makePayer(deps);
    const { email } = await deps.db.prisma.account.findUniqueOrThrow({ where: { id: payer.id } });
    const token = await invite(email, "viewer");
    expect(await findOperatorInvitation(deps, { token })).toMatchObject({ hasAccount: true, isReset: false });
    expect((await refusalOf(accept(token))).code).toBe("address_taken");
    const other = await signIn((await makePayer(deps)).id);
    const request = { token, requestId: info.requestId };
    expect((await refusalOf(acceptOperatorInvitation(deps, { ...request, session: other }))).code).toBe(
      "invitation_for_another",
    );
    await acceptOperatorInvitation(deps, { ...request, session: await signIn(payer.id) });
    expect(await accountOf(email)).toMatchObject({ operatorRole: "viewer" });
  });

  test.each(["", "ola", "a@b@c.example", "ola@example.com, eve@example.com"])(
    "refuses the address %j",
    async (email) => {
      expect((await refusalOf(inviteOperator(deps, { email, role: "admin", ...by }))).code).toBe("email_invalid");
    },
  );
});

describe("recovery: a link for an existing operator resets the second factor (docs/spec/portal.md, Operators)", () => {
  test("after a sign-in with a password, all second factors are removed from the account and its sessions, and the role is kept", async () => {
    const operator = await makeOperator("support");
    const passkey = { credentialId: newId("psk"), publicKey: new Uint8Array(1), counter: 0n, name: "x" };
    const more = { isBackedUp: true, createdAt: deps.clock.now(), accountId: operator.id };
    await deps.db.prisma.passkey.create({ data: { ...passkey, ...more, id: newId("psk") } });
    const old = await signIn(operator.id, passkeyAcr);
    expect(old.hasSecondFactor).toBe(true);
    const token = await invite(operator.email, "support");
    await acceptOperatorInvitation(deps, { token, session: await signIn(operator.id), requestId: info.requestId });
    expect(await deps.db.prisma.passkey.count({ where: { accountId: operator.id } })).toBe(0);
    expect(
      await deps.db.prisma.session.count({ where: { accountId: operator.id, secondFactorAt: { not: null } } }),
    ).toBe(0);
    expect(await accountOf(operator.email)).toMatchObject({ operatorRole: "support" });
    expect((await actionsOf(operator.id)).slice(-2)).toEqual([
      "operator.reset_allowed by command-line",
      `operator.second_factor_reset by ${operator.id}`,
    ]);
  });

  test("after a sign-in with a passkey, the passkey is kept, and all other sessions lose the second factor", async () => {
    const operator = await makeOperator("support");
    const [stolen, own] = [await signIn(operator.id, passkeyAcr), await signIn(operator.id, passkeyAcr)];
    const token = await invite(operator.email, "support");
    await acceptOperatorInvitation(deps, { token, session: own, requestId: info.requestId });
    const proved = await deps.db.prisma.session.findMany({
      where: { accountId: operator.id, secondFactorAt: { not: null } },
    });
    expect(proved.map(({ id }) => id)).toEqual([own.sessionId]);
    expect(stolen.sessionId).not.toBe(own.sessionId);
  });

  test("the link works only for its account, even after that account's address changes, and becomes invalid when the role is removed", async () => {
    const operator = await makeOperator("support");
    const token = await invite(operator.email, "support");
    await deps.db.prisma.account.update({ where: { id: operator.id }, data: { email: newEmail() } });
    const { id: strangerId } = await makePayer(deps);
    await deps.db.prisma.account.update({ where: { id: strangerId }, data: { email: operator.email } });
    const accept = async (id: string) =>
      acceptOperatorInvitation(deps, { token, session: await signIn(id), requestId: info.requestId });
    expect((await refusalOf(accept(strangerId))).code).toBe("invitation_for_another");
    const { email } = await deps.db.prisma.account.findUniqueOrThrow({ where: { id: operator.id } });
    const shown = await findOperatorInvitation(deps, { token });
    expect(shown).toMatchObject({ email, role: "support", hasAccount: true, isReset: true });
    const byPassword = acceptByPassword(deps, { ...person, token, password });
    expect((await refusalOf(byPassword)).code).toBe("invitation_gone");
    const byPasskey = beginInvitationPasskey(deps, { token, name: "Ola" });
    expect((await refusalOf(byPasskey)).code).toBe("invitation_gone");
    const { invitations } = await listOperators(deps);
    expect(invitations.map((one) => one.email)).not.toContain(operator.email);
    await removeOperator(deps, { email, ...by });
    expect((await refusalOf(accept(operator.id))).code).toBe("invitation_gone");
  });

  test("adding an operator again with another role changes the role immediately", async () => {
    const operator = await makeOperator("viewer");
    const invited = await inviteOperator(deps, { email: operator.email, role: "support", ...by });
    expect(invited).toMatchObject({ outcome: "operator", isRoleChanged: true });
    expect(await accountOf(operator.email)).toMatchObject({ operatorRole: "support" });
    expect(await actionsOf(operator.id)).toContain("operator.role_changed by command-line");
  });

  test("if no role is given, operators and open invitations keep their role, and other persons become admins", async () => {
    const add = (email: string) => inviteOperator(deps, { email, role: null, ...by });
    const viewer = await makeOperator("viewer");
    expect(await add(viewer.email)).toMatchObject({ outcome: "operator", role: "viewer", isRoleChanged: false });
    expect(await accountOf(viewer.email)).toMatchObject({ operatorRole: "viewer" });
    const invited = newEmail();
    await invite(invited, "support");
    expect(await add(invited)).toMatchObject({ outcome: "renewed", role: "support" });
    expect(await add(newEmail())).toMatchObject({ outcome: "invited", role: "admin" });
  });
});

describe("the list of operators", () => {
  test("is paged and sorted by e-mail address; a link that resets a second factor isn't listed as an invitation", async () => {
    const last = await makeOperator("viewer");
    await makeOperator("support");
    await inviteOperator(deps, { email: last.email, role: "viewer", ...by });
    const { operators: all, hasMore, invitations } = await listOperators(deps);
    expect([hasMore, invitations.map(({ email }) => email)]).toEqual([false, expect.not.arrayContaining([last.email])]);
    const pages: string[][] = [];
    for (let after: string | undefined, more = true; more; after = pages.at(-1)?.at(-1)) {
      const page = await listOperators(deps, { startingAfter: after, limit: 2 });
      pages.push(page.operators.map(({ id }) => id));
      more = page.hasMore;
    }
    expect(pages.flat()).toEqual(all.map(({ id }) => id));
    expect(pages.slice(0, -1).every(({ length }) => length === 2)).toBe(true);
  });

  test("finds operators by part of the e-mail address, ignoring upper and lower case", async () => {
    const operator = await makeOperator("viewer");
    const find = async (search: string) => (await listOperators(deps, { search })).operators.map(({ id }) => id);
    expect(await find(operator.email.slice(0, -1).toUpperCase())).toEqual([operator.id]);
    expect(await find(`${operator.email}%`)).toEqual([]);
  });
});

describe("operators can be removed and get other roles, but one admin must remain", () => {
  test("a removed operator loses all rights immediately; removing an invited address revokes its invitation", async () => {
    const operator = await makeOperator("support");
    const session = await signIn(operator.id);
    expect(session.account.operatorRole).toBe("support");
    await removeOperator(deps, { email: operator.email, ...by });
    expect((await signIn(operator.id)).account.operatorRole).toBeNull();
    expect((await refusalOf(removeOperator(deps, { email: operator.email, ...by }))).code).toBe("operator_not_found");
    const email = newEmail();
    const token = await invite(email);
    expect((await listOperators(deps)).invitations.map((one) => one.email)).toContain(email);
    expect(await removeOperator(deps, { email, ...by })).toEqual({ wasOperator: false });
    expect(await findOperatorInvitation(deps, { token })).toBeNull();
    expect((await listOperators(deps)).invitations.map((one) => one.email)).not.toContain(email);
  });

  test("a removed or demoted admin can't become one again through a link that they created", async () => {
    await makeOperator("admin");
    for (const role of [null, "support"] as const) {
      const admin = await makeOperator("admin");
      const actor = { kind: "operator", id: admin.id } as const;
      const link = await inviteOperator(deps, {
        email: newEmail(),
        role: "admin",
        actor,
        requestId: info.requestId,
        reason: "Team",
      });
      if (role === null) await removeOperator(deps, { email: admin.email, ...by });
      else await changeOperatorRole(deps, { accountId: admin.id, role, ...by });
      expect((await refusalOf(accept(tokenOf(link)))).code).toBe("invitation_gone");
    }
  });

  test("an admin's request that runs after the admin was demoted is refused, so that the admin can't regain the role", async () => {
    await makeOperator("admin");
    const admin = await makeOperator("admin");
    const own = { actor: { kind: "operator", id: admin.id } as const, requestId: info.requestId, reason: "Team" };
    const demote = () => changeOperatorRole(deps, { accountId: admin.id, role: "viewer", ...by });
    const restore = () => changeOperatorRole(deps, { accountId: admin.id, role: "admin", ...own });
    const ask = () => inviteOperator(deps, { email: newEmail(), role: "admin", ...own });
    const invited = newEmail();
    await invite(invited);
    const revoke = () => removeOperator(deps, { email: invited, ...own });
    const outcomes = await whileAccountIsLocked(deps, admin.id, [demote, restore, ask, revoke]);
    expect(outcomes).toEqual(["done", "admins_only", "admins_only", "admins_only"]);
    expect(await accountOf(admin.email)).toMatchObject({ operatorRole: "viewer" });
  });

  test("a reset that waited while the account's sessions ended is refused, and the link stays valid", async () => {
    const operator = await makeOperator("support");
    const token = await invite(operator.email, "support");
    const session = await signIn(operator.id);
    const end = () =>
      deps.db.transaction(async (tx) => {
        await lockAccount(tx.sql, operator.id);
        await tx.session.updateMany({ where: { accountId: operator.id }, data: { revokedAt: deps.clock.now() } });
      });
    const reset = () => acceptOperatorInvitation(deps, { token, session, requestId: info.requestId });
    expect(await whileAccountIsLocked(deps, operator.id, [end, reset])).toEqual(["done", "session_not_found"]);
    expect(await findOperatorInvitation(deps, { token })).toMatchObject({ isReset: true });
  });

  test("a concurrent removal and acceptance don't deadlock", async () => {
    const operator = await makeOperator("support");
    const token = await invite(operator.email, "support");
    const session = await signIn(operator.id);
    const remove = () => removeOperator(deps, { email: operator.email, ...by });
    const reset = () => acceptOperatorInvitation(deps, { token, session, requestId: info.requestId });
    expect(await whileAccountIsLocked(deps, operator.id, [remove, reset])).toEqual(["done", "invitation_gone"]);
  });

  test("if ten admins are removed or demoted at the same time, one remains", async () => {
    const admins = await Promise.all(Array.from({ length: 10 }, () => makeOperator("admin")));
    const others = { where: { operatorRole: "admin", id: { notIn: admins.map(({ id }) => id) } } as const };
    await deps.db.prisma.account.updateMany({ ...others, data: { operatorRole: "viewer" } });
    const outcomes = await Promise.allSettled(
      admins.map(({ id: accountId, email }, index) =>
        index % 2 === 0
          ? removeOperator(deps, { email, ...by })
          : changeOperatorRole(deps, { accountId, role: "viewer", ...by }),
      ),
    );
    const refused = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
    expect(refused).toEqual(["last_admin"]);
    expect(await deps.db.prisma.account.count({ where: { operatorRole: "admin" } })).toBe(1);
  });
});
