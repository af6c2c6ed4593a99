import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePayer } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { refusalOf } from "../../charges/charge/charge-setup.fixture.ts";
import { newId } from "../../kernel/ids.ts";
import { totpCodeAt } from "../rules/totp.ts";
import { findSession, type SessionContext } from "../sessions/find-session.ts";
import { openSession, passwordAcr } from "../sessions/sessions.ts";
import { beginTotp } from "./begin-totp.ts";
import { enterTotpCode } from "./enter-totp-code.ts";
import { findSecondFactorStep } from "./find-second-factor-step.ts";

const info = { requestId: "req_test", ipAddress: "203.0.113.9", userAgent: "Vitest" };
let deps: TestDeps;

beforeAll(async () => {
  deps = await createTestDeps({ config: { isLoopback: false } });
});
afterAll(() => deps?.close());

const makeOperator = async (): Promise<string> => {
  const { id } = await makePayer(deps);
  await deps.db.prisma.account.update({ where: { id }, data: { isOperator: true, operatorRole: "admin" } });
  return id;
};

/** Reads the session again, as the next request does. */
type Reader = () => Promise<SessionContext>;

const signIn = async (accountId: string): Promise<Reader> => {
  const now = deps.clock.now();
  const { secret } = await deps.db.transaction((tx) => openSession(tx, { accountId, acr: passwordAcr, info, now }));
  return async () => {
    const session = await findSession(deps, `__Host-pg_test=${secret}`);
    if (!session) throw new Error("no session");
    return session;
  };
};

const enter = async (read: Reader, code: string) => enterTotpCode(deps, { session: await read(), code, info });
const stepOf = async (read: Reader) => (await findSecondFactorStep(deps, await read())).kind;
const setUp = async (accountId: string) => {
  const read = await signIn(accountId);
  const { secret } = await beginTotp(deps, await read());
  await enter(read, totpCodeAt(secret, deps.clock.now()));
  return { read, secret };
};
const actionsOf = async (accountId: string) => {
  const entries = await deps.db.prisma.$queryRaw<{ action: string }[]>`
    SELECT action FROM audit_entry WHERE subject_id = ${accountId} ORDER BY seq`;
  return entries.map(({ action }) => action);
};

describe("operators need a second factor outside loopback (docs/spec/portal.md, Operators)", () => {
  test("a new operator sets up an app; the next session needs a code", async () => {
    const id = await makeOperator();
    const read = await signIn(id);
    expect(await stepOf(read)).toBe("set_up");
    const { secret, uri } = await beginTotp(deps, await read());
    expect((await beginTotp(deps, await read())).secret).toBe(secret);
    const other = await signIn(id);
    expect((await refusalOf(enter(other, totpCodeAt(secret, deps.clock.now())))).code).toBe("code_refused");
    expect(uri).toMatch(/^otpauth:\/\/totp\/Paygrant%20sandbox:.*secret=[A-Z2-7]{32}/);
    expect((await refusalOf(enter(read, "000000"))).code).toBe("code_refused");
    await enter(read, totpCodeAt(secret, deps.clock.now()));
    expect(await stepOf(read)).toBe("none");
    expect((await refusalOf(beginTotp(deps, await read()))).code).toBe("totp_exists");

    deps.clock.advance(60);
    const next = await signIn(id);
    expect(await stepOf(next)).toBe("enter");
    expect((await refusalOf(beginTotp(deps, await next()))).code).toBe("second_factor_required");
    await enter(next, totpCodeAt(secret, deps.clock.now()));
    expect(await stepOf(next)).toBe("none");
    expect(await actionsOf(id)).toEqual([
      "second_factor.refused",
      "second_factor.refused",
      "second_factor.set_up",
      "second_factor.proved",
    ]);
  });

  test("a secret that another session saw is replaced, so that it never becomes the factor", async () => {
    const id = await makeOperator();
    const [intruder, operator] = [await signIn(id), await signIn(id)];
    const seen = (await beginTotp(deps, await intruder())).secret;
    const { secret } = await beginTotp(deps, await operator());
    expect(secret).not.toBe(seen);
    expect((await refusalOf(enter(intruder, totpCodeAt(seen, deps.clock.now())))).code).toBe("code_refused");
    expect((await refusalOf(enter(intruder, totpCodeAt(secret, deps.clock.now())))).code).toBe("code_refused");
    await enter(operator, totpCodeAt(secret, deps.clock.now()));
    expect(await stepOf(operator)).toBe("none");
  });

  test("the secret is encrypted at rest", async () => {
    const { read, secret } = await setUp(await makeOperator());
    const row = await deps.db.prisma.accountTotp.findUniqueOrThrow({ where: { accountId: (await read()).account.id } });
    expect(row.sealedSecret).not.toContain(secret);
    expect(() => deps.sealer.open(row.sealedSecret, "totp:acc_other")).toThrow();
  });

  test("a code is accepted once, even when ten sessions send it at the same time (RFC 6238 §5.2)", async () => {
    const id = await makeOperator();
    const { secret } = await setUp(id);
    deps.clock.advance(60);
    const readers = await Promise.all(Array.from({ length: 10 }, () => signIn(id)));
    const code = totpCodeAt(secret, deps.clock.now());
    const outcomes = await Promise.allSettled(readers.map((read) => enter(read, code)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    // A code of an earlier step is refused too, although its time isn't over.
    const earlier = totpCodeAt(secret, new Date(deps.clock.now().getTime() - 30_000));
    deps.clock.advance(600);
    expect((await refusalOf(enter(await signIn(id), earlier))).code).toBe("code_refused");
  });

  test("after ten wrong codes, the right code is refused for a while in every session of the account", async () => {
    const id = await makeOperator();
    const { secret } = await setUp(id);
    deps.clock.advance(60);
    const code = totpCodeAt(secret, deps.clock.now());
    for (let times = 0; times < 10; times += 1)
      expect((await refusalOf(enter(await signIn(id), "000000"))).code).toBe("code_refused");
    expect((await refusalOf(enter(await signIn(id), code))).code).toBe("too_many_attempts");
    deps.clock.advance(61);
    await enter(await signIn(id), totpCodeAt(secret, deps.clock.now()));
  });

  test("if the account has a passkey, the unconfirmed secret of an app gives no access", async () => {
    const id = await makeOperator();
    const read = await signIn(id);
    const { secret } = await beginTotp(deps, await read());
    const passkey = { credentialId: newId("psk"), publicKey: new Uint8Array(1), counter: 0n, name: "x" };
    const more = { isBackedUp: true, createdAt: deps.clock.now() };
    await deps.db.prisma.passkey.create({ data: { ...passkey, ...more, id: newId("psk"), accountId: id } });
    expect((await refusalOf(enter(read, totpCodeAt(secret, deps.clock.now())))).code).toBe("second_factor_required");
  });
});
