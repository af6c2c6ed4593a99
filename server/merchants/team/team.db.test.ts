import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant, makePayer } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findMemberRole } from "../../accounts/memberships.ts";
import { admitSignUp } from "../../accounts/sign-up/admit-sign-up.ts";
import { listPastActs } from "../../audit/past-acts.ts";
import { refusalOf } from "../../charges/charge/charge-setup.fixture.ts";
import { newId } from "../../kernel/ids.ts";
import { cancelInvitation } from "./cancel-invitation.ts";
import { changeMember } from "./change-member.ts";
import { findTeamInvitation } from "./find-team-invitation.ts";
import { getTeam } from "./get-team.ts";
import { inviteMember } from "./invite-member.ts";
import { joinTeam } from "./join-team.ts";
import { resendInvitation } from "./resend-invitation.ts";
import { transferOwnership } from "./transfer-ownership.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

type Role = "owner" | "admin" | "developer" | "viewer";
const requestId = "req_test";
const as = (accountId: string) => ({ actor: { kind: "merchant", id: accountId }, requestId }) as const;
const emailOf = (accountId: string) => `${accountId.toLowerCase()}@example.test`;

const makeTeam = async (...roles: Role[]) => {
  const { id: merchantId } = await makeMerchant(deps);
  const members: string[] = [];
  for (const role of roles) {
    const { id: accountId } = await makePayer(deps);
    await deps.db.prisma.merchantMember.create({ data: { merchantId, accountId, role, createdAt: deps.clock.now() } });
    members.push(accountId);
  }
  const [first = "", second = "", third = ""] = members;
  return { merchantId, first, second, third };
};

const mailTo = (recipient: string) =>
  deps.db.prisma.mail.findMany({ where: { recipient }, orderBy: { createdAt: "asc" } });
const tokenIn = (text: string): string => /\/invitations\/([\w-]{43})/.exec(text)?.[1] ?? "";
const newestToken = async (email: string) => tokenIn((await mailTo(email)).at(-1)?.text ?? "");
const ownersOf = async (merchantId: string) =>
  (await getTeam(deps, { merchantId })).members
    .filter(({ role }) => role === "owner")
    .map(({ accountId }) => accountId);

const invite = async (role: "admin" | "viewer" = "viewer") => {
  const team = await makeTeam("owner");
  const { id: accountId } = await makePayer(deps);
  const email = emailOf(accountId);
  const input = { merchantId: team.merchantId, email: ` ${email.toUpperCase()} `, role, ...as(team.first) };
  const { invitationId } = await inviteMember(deps, input);
  return { ...team, accountId, email, invitationId, token: await newestToken(email) };
};

describe("invitations to a team (docs/spec/portal.md, Team)", () => {
  test("twenty concurrent uses of one link add one member, and the link works only for the invited address", async () => {
    const { merchantId, first, accountId, token } = await invite("admin");
    const { id: other } = await makePayer(deps);
    expect((await refusalOf(joinTeam(deps, { token, accountId: other, requestId }))).code).toBe("invitation_not_valid");
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () => joinTeam(deps, { token, accountId, requestId })),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await findMemberRole(deps, { accountId, merchantId })).toBe("admin");
    expect(await findTeamInvitation(deps, { token })).toBeNull();
    expect((await mailTo(emailOf(first))).map(({ kind }) => kind)).toEqual(["team_joined"]);
    const acts = await listPastActs(deps, { subjectId: merchantId, from: new Date(0) });
    expect(acts.map(({ action }) => action).toSorted()).toEqual(["merchant.member_invited", "merchant.member_joined"]);
    expect(JSON.stringify(acts)).not.toContain("@");
  });

  test("an address with an account and one without get the same answer and e-mail, about equally fast", async () => {
    const { merchantId, first } = await makeTeam("owner");
    const seconds: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
    const answers = new Set<string>();
    const order = Array.from({ length: 24 }, (_, index) =>
      index % 2 === 0 ? (["known", "unknown"] as const) : (["unknown", "known"] as const),
    ).flat();
    for (const kind of order) {
      const id = kind === "known" ? (await makePayer(deps)).id : newId("acc");
      const email = emailOf(id);
      const startedAt = performance.now();
      const answer = await inviteMember(deps, { merchantId, email, role: "viewer", ...as(first) });
      seconds[kind].push(performance.now() - startedAt);
      const mails = (await mailTo(email)).map((mail) => [
        mail.kind,
        mail.subject,
        mail.text.replace(tokenIn(mail.text), ""),
      ]);
      answers.add(JSON.stringify([Object.keys(answer), /^inv_\w+$/.test(answer.invitationId), mails]));
    }
    expect(answers.size).toBe(1);
    const medianOf = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
    const ratio = medianOf(seconds.known) / medianOf(seconds.unknown);
    // Both are measured alternately in one run, so other load on the machine affects both equally.
    expect(Math.max(ratio, 1 / ratio)).toBeLessThan(1.5);
  });

  test("concurrent invitations of one address create one invitation, and its token is stored only as a hash", async () => {
    const team = await makeTeam("owner");
    const email = "Someone.New@example.test";
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        inviteMember(deps, { merchantId: team.merchantId, email, role: "viewer", ...as(team.first) }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const reasons = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []));
    expect(new Set(reasons)).toEqual(new Set(["already_invited"]));
    const mails = await mailTo(email.toLowerCase());
    expect(mails).toHaveLength(1);
    const row = await deps.db.prisma.merchantInvitation.findFirstOrThrow({ where: { merchantId: team.merchantId } });
    expect(JSON.stringify(row)).not.toContain(tokenIn(mails[0]?.text ?? ""));
  });

  test("the team can be searched by a part of a name or address, in upper or lower case", async () => {
    const { merchantId, first, email } = await invite();
    await deps.db.prisma.account.update({ where: { id: first }, data: { displayName: "Åsa 100% Berg" } });
    const find = async (search: string) => {
      const { members, invitations } = await getTeam(deps, { merchantId, search });
      return [members.map(({ accountId }) => accountId), invitations.map((invitation) => invitation.email)];
    };
    expect(await find("åsa 100%")).toEqual([[first], []]);
    expect(await find(emailOf(first).toUpperCase())).toEqual([[first], []]);
    expect(await find(email.slice(1, -3).toUpperCase())).toEqual([[], [email]]);
    expect(await find("100_")).toEqual([[], []]);
  });

  test("the members are listed in pages, owners first", async () => {
    const { merchantId, second } = await makeTeam("viewer", "owner", "viewer", "admin", "viewer");
    const all = (await getTeam(deps, { merchantId })).members.map(({ accountId }) => accountId);
    expect([all.length, all[0]]).toEqual([5, second]);
    const pageAfter = async (startingAfter?: string) => {
      const { members, hasMore } = await getTeam(deps, { merchantId, startingAfter, limit: 2 });
      return [members.map(({ accountId }) => accountId), hasMore];
    };
    expect([await pageAfter(), await pageAfter(all[1]), await pageAfter(all[3])]).toEqual([
      [all.slice(0, 2), true],
      [all.slice(2, 4), true],
      [all.slice(4), false],
    ]);
    // If the last member of the previous page has left, the first page is returned.
    await changeMember(deps, { merchantId, accountId: all[1] ?? "", role: null, ...as(second) });
    expect(await pageAfter(all[1])).toEqual([[all[0], all[2]], true]);
  });

  test("the only owner is marked, also in a search", async () => {
    const { merchantId, first, second } = await makeTeam("owner", "admin");
    const onlyOwners = async (search?: string) =>
      (await getTeam(deps, { merchantId, search })).members
        .filter(({ isOnlyOwner }) => isOnlyOwner)
        .map(({ accountId }) => accountId);
    expect([await onlyOwners(), await onlyOwners(emailOf(first)), await onlyOwners(emailOf(second))]).toEqual([
      [first],
      [first],
      [],
    ]);
    await changeMember(deps, { merchantId, accountId: second, role: "owner", ...as(first) });
    expect(await onlyOwners()).toEqual([]);
  });

  test("the invitation lets a person without an account sign up if sign-up requires an invitation", async () => {
    const { token, email, merchantId, first, invitationId } = await invite();
    const closed = { ...deps, config: { ...deps.config, signUp: "invite" as const } };
    const admitted = () => admitSignUp(closed, { returnTo: "/wallet", invitation: token });
    expect(await admitted()).toEqual({ kind: "admitted", invited: email });
    await cancelInvitation(deps, { merchantId, invitationId, ...as(first) });
    expect(await admitted()).toMatchObject({ kind: "refused" });
    expect(await findTeamInvitation(deps, { token })).toBeNull();
  });

  test("a link that was sent again replaces the old one, at most once a minute, and expires after 7 days", async () => {
    const { token, email, merchantId, first, invitationId } = await invite();
    const resend = () => resendInvitation(deps, { merchantId, invitationId, ...as(first) });
    expect((await refusalOf(resend())).code).toBe("sent_recently");
    deps.clock.advance(61);
    await resend();
    const renewed = await newestToken(email);
    expect(renewed).not.toBe(token);
    expect([
      await findTeamInvitation(deps, { token }),
      (await findTeamInvitation(deps, { token: renewed }))?.email,
    ]).toEqual([null, email]);
    deps.clock.advance(7 * 24 * 3600);
    expect(await findTeamInvitation(deps, { token: renewed })).toBeNull();
    // An expired invitation doesn't block a new one.
    await inviteMember(deps, { merchantId, email, role: "viewer", ...as(first) });
    expect((await getTeam(deps, { merchantId })).invitations).toHaveLength(1);
  });

  test("an invitation is sent again at most 5 times in 24 hours, even with concurrent requests", async () => {
    const { email, merchantId, first, invitationId } = await invite();
    const resend = () => resendInvitation(deps, { merchantId, invitationId, ...as(first) });
    for (const _time of Array.from({ length: 4 })) {
      deps.clock.advance(61);
      await resend();
    }
    deps.clock.advance(61);
    const together = await Promise.allSettled([resend(), resend(), resend()]);
    expect(together.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    deps.clock.advance(61);
    expect((await refusalOf(resend())).code).toBe("too_many_resends");
    expect(await mailTo(email)).toHaveLength(6);
    deps.clock.advance(24 * 3600 - 6 * 61);
    expect((await refusalOf(resend())).code).toBe("too_many_resends");
    deps.clock.advance(2 * 61);
    await resend();
  });

  test("a team can't invite an existing member, change another merchant's invitation or have more than 50 open invitations", async () => {
    const { merchantId, first, second } = await makeTeam("owner", "viewer");
    const member = { merchantId, email: emailOf(second), role: "viewer", ...as(first) } as const;
    expect((await refusalOf(inviteMember(deps, member))).code).toBe("already_member");
    const other = await invite();
    const foreign = { merchantId, invitationId: other.invitationId, ...as(first) };
    expect((await refusalOf(cancelInvitation(deps, foreign))).code).toBe("not_found");
    expect((await refusalOf(resendInvitation(deps, foreign))).code).toBe("not_found");
    for (let index = 0; index < 50; index += 1)
      await inviteMember(deps, { ...member, email: `p${index}@example.test` });
    const another = inviteMember(deps, { ...member, email: "another@example.test" });
    expect((await refusalOf(another)).code).toBe("too_many_invitations");
  });

  test("a team sends at most 50 invitation e-mails in 24 hours, even with concurrent requests; repeated and canceled ones count", async () => {
    const { merchantId, first } = await makeTeam("owner");
    const sendTo = (email: string) => inviteMember(deps, { merchantId, email, role: "viewer", ...as(first) });
    const resend = (invitationId: string) => resendInvitation(deps, { merchantId, invitationId, ...as(first) });
    const open: string[] = [];
    for (let index = 0; index < 21; index += 1) open.push((await sendTo(`q${index}@example.test`)).invitationId);
    deps.clock.advance(61);
    for (const invitationId of open) await resend(invitationId);
    deps.clock.advance(61);
    const [canceled = "", ...others] = open;
    await cancelInvitation(deps, { merchantId, invitationId: canceled, ...as(first) });
    // 42 e-mails were sent, so 8 of these 30 are sent too.
    const together = await Promise.allSettled([
      ...others.map(resend),
      ...Array.from({ length: 10 }, (_, index) => sendTo(`r${index}@example.test`)),
    ]);
    expect(together.filter(({ status }) => status === "fulfilled")).toHaveLength(8);
    const codes = together.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []));
    expect(new Set(codes)).toEqual(new Set(["too_many_invitation_emails"]));
    const mails = await deps.db.prisma.mail.count({
      where: { kind: "invitation", OR: [{ recipient: { startsWith: "q" } }, { recipient: { startsWith: "r" } }] },
    });
    expect(mails).toBe(50);
    deps.clock.advance(24 * 3600 - 123);
    expect((await refusalOf(sendTo("s@example.test"))).code).toBe("too_many_invitation_emails");
    deps.clock.advance(2);
    await sendTo("s@example.test");
  });

  test.each([
    ["declined", { review: "declined" }, "merchant_declined"],
    ["suspended", { suspendedAt: new Date() }, "merchant_suspended"],
  ] as const)(
    "a %s merchant can't send or resend invitations, and its open invitations are kept",
    async (name, state, code) => {
      const { merchantId, first, invitationId, email, token } = await invite();
      const other = `colleague-${name}@example.test`;
      await deps.db.prisma.merchant.update({ where: { id: merchantId }, data: state });
      deps.clock.advance(61);
      const resend = () => resendInvitation(deps, { merchantId, invitationId, ...as(first) });
      const sendTo = () => inviteMember(deps, { merchantId, email: other, role: "viewer", ...as(first) });
      expect((await refusalOf(resend())).code).toBe(code);
      expect((await refusalOf(sendTo())).code).toBe(code);
      expect([(await mailTo(email)).length, (await mailTo(other)).length]).toEqual([1, 0]);
      expect((await findTeamInvitation(deps, { token }))?.email).toBe(email);
      await cancelInvitation(deps, { merchantId, invitationId, ...as(first) });
      // A pending merchant can invite its team.
      await deps.db.prisma.merchant.update({
        where: { id: merchantId },
        data: { review: "pending", suspendedAt: null },
      });
      await sendTo();
    },
  );
});

describe("roles in a team (docs/spec/portal.md, Team)", () => {
  test("if two owners leave, or demote or remove each other, at the same time, one owner always remains", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { merchantId, first, second } = await makeTeam("owner", "owner");
      const outcomes = await Promise.allSettled([
        changeMember(deps, { merchantId, accountId: first, role: null, ...as(first) }),
        changeMember(deps, { merchantId, accountId: second, role: null, ...as(second) }),
        changeMember(deps, { merchantId, accountId: first, role: "admin", ...as(second) }),
        changeMember(deps, { merchantId, accountId: second, role: "viewer", ...as(first) }),
      ]);
      expect(await ownersOf(merchantId)).toHaveLength(1);
      expect(outcomes.some(({ status }) => status === "rejected")).toBe(true);
    }
  });

  test("the last owner can't leave or be demoted", async () => {
    const { merchantId, first } = await makeTeam("owner", "admin");
    for (const role of [null, "admin"] as const) {
      const change = changeMember(deps, { merchantId, accountId: first, role, ...as(first) });
      expect((await refusalOf(change)).code).toBe("last_owner");
    }
  });

  test("a removed or demoted admin can't return by an invitation that they sent", async () => {
    for (const role of [null, "developer"] as const) {
      const { merchantId, first, second } = await makeTeam("owner", "admin");
      const { id: accountId } = await makePayer(deps);
      const email = emailOf(accountId);
      await inviteMember(deps, { merchantId, email, role: "admin", ...as(second) });
      const token = await newestToken(email);
      await changeMember(deps, { merchantId, accountId: second, role, ...as(first) });
      expect(await findTeamInvitation(deps, { token })).toBeNull();
      expect((await getTeam(deps, { merchantId })).invitations).toEqual([]);
    }
  });

  test("an admin can't change an owner or make a member an owner; a change takes effect immediately, and the member gets an e-mail", async () => {
    const { merchantId, first, second, third } = await makeTeam("owner", "admin", "developer");
    const change = (accountId: string, role: Role | null) =>
      changeMember(deps, { merchantId, accountId, role, ...as(second) });
    for (const [accountId, role] of [
      [first, "viewer"],
      [first, null],
      [third, "owner"],
      [second, "owner"],
    ] as const) {
      expect((await refusalOf(change(accountId, role))).code).toBe("owners_only");
    }
    await change(third, "viewer");
    expect(await findMemberRole(deps, { merchantId, accountId: third })).toBe("viewer");
    expect(await change(third, "viewer")).toEqual({ isNew: false });
    await change(third, null);
    expect(await findMemberRole(deps, { merchantId, accountId: third })).toBeNull();
    expect((await mailTo(emailOf(third))).map(({ kind }) => kind)).toEqual(["team_role_changed", "team_removed"]);
    expect((await refusalOf(change(third, "viewer"))).code).toBe("not_found");
  });

  test("a transfer makes the member an owner and the previous owner an admin; both get an e-mail", async () => {
    const { merchantId, first, second } = await makeTeam("owner", "viewer");
    const transfer = () => transferOwnership(deps, { merchantId, accountId: second, ...as(first) });
    const outcomes = await Promise.allSettled([transfer(), transfer()]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await ownersOf(merchantId)).toEqual([second]);
    expect(await findMemberRole(deps, { merchantId, accountId: first })).toBe("admin");
    for (const accountId of [first, second]) {
      expect((await mailTo(emailOf(accountId))).map(({ kind }) => kind)).toEqual(["ownership_transferred"]);
    }
    expect((await refusalOf(transfer())).code).toBe("owners_only");
  });

  test("a request of a member who has just lost a manager's role is refused, so that the member can't regain the role", async () => {
    const { merchantId, first, second, third } = await makeTeam("owner", "admin", "developer");
    await changeMember(deps, { merchantId, accountId: second, role: "viewer", ...as(first) });
    const change = (accountId: string, role: Role | null) =>
      refusalOf(changeMember(deps, { merchantId, accountId, role, ...as(second) }));
    expect((await change(second, "admin")).code).toBe("managers_only");
    expect((await change(third, null)).code).toBe("managers_only");
    const invitation = { merchantId, email: "late@example.test", role: "admin" } as const;
    expect((await refusalOf(inviteMember(deps, { ...invitation, ...as(second) }))).code).toBe("managers_only");
    const { invitationId } = await inviteMember(deps, { ...invitation, ...as(first) });
    deps.clock.advance(60);
    const again = resendInvitation(deps, { merchantId, invitationId, ...as(second) });
    expect((await refusalOf(again)).code).toBe("managers_only");
    expect(await findMemberRole(deps, { accountId: second, merchantId })).toBe("viewer");
  });
});
