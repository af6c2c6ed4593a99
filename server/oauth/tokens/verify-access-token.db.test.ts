import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { introspectAs } from "#e2e/support/oauth/pending-client.ts";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { denyToken } from "../../data/oauth/liveness.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { narrowMandate } from "../../mandates/lifecycle/narrow-mandate.ts";
import { grantTo, info, makeParties, type Parties } from "../grants/granted.fixture.ts";
import { verifyAccessToken } from "./verify-access-token.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

/** Creates a separate tenant and a Bearer token that names the tenant's only mandate. */
const makeToken = async () => {
  const parties = await makeParties(deps, { dpopBound: false });
  const granted = await grantTo(deps, parties);
  return { parties, ...granted, token: await granted.accessToken({ signer: null }) };
};
type Held = Awaited<ReturnType<typeof makeToken>>;

const use = (at: TestDeps, token: string, { limitsAuthenticationAge = false } = {}) =>
  verifyAccessToken(at, {
    info,
    resource: "authorization_server",
    scope: null,
    method: "GET",
    path: "/",
    changesState: false,
    limitsAuthenticationAge,
    authorization: `Bearer ${token}`,
    dpopProof: null,
  });

const client = ({ parties }: Held) => ({ where: { id: (parties satisfies Parties).agent.id } });
const grant = ({ grantId }: Held) => ({ where: { id: grantId } });
const mandate = ({ mandateId }: Held) => ({ where: { id: mandateId } });

describe("the age of the payer's sign-in (RFC 9470)", () => {
  const day = 24 * 3600;
  /** Tokens like those from a refresh, whose auth_time is the time of the consent. */
  const tokenOf = async (daysAgo: number, secondsMore = 0) => {
    const parties = await makeParties(deps, { dpopBound: false });
    const granted = await grantTo(deps, parties);
    const authTime = addSeconds(deps.clock.now(), -daysAgo * day - secondsMore);
    return granted.accessToken({ signer: null, authTime });
  };
  const takePayers = (token: string) => use(deps, token, { limitsAuthenticationAge: true });

  test("may be at most 180 days where an operation limits it, and isn't checked elsewhere", async () => {
    const [young, old] = [await tokenOf(180), await tokenOf(180, 1)];
    await expect(takePayers(young)).resolves.toMatchObject({ jkt: null });
    await expect(use(deps, old)).resolves.toMatchObject({ jkt: null });
    await expect(takePayers(old)).rejects.toMatchObject({
      code: "insufficient_user_authentication",
      status: 401,
      headers: { "www-authenticate": expect.stringContaining('max_age="15552000"') },
    });
  });
});

describe("a token is live only while its mandate, grant and client are (docs/spec/oauth.md, Access tokens)", () => {
  const ends: [string, (held: Held) => Promise<unknown>][] = [
    ["its client's epoch has risen", (held) => deps.db.prisma.client.update({ ...client(held), data: { epoch: 2 } })],
    [
      "its client has been deleted",
      (held) => deps.db.prisma.client.update({ ...client(held), data: { deletedAt: deps.clock.now() } }),
    ],
    ["its grant's epoch has risen", (held) => deps.db.prisma.grant.update({ ...grant(held), data: { epoch: 2 } })],
    [
      "its grant has ended",
      (held) => deps.db.prisma.grant.update({ ...grant(held), data: { endedAt: deps.clock.now() } }),
    ],
    [
      "its jti has been denied",
      ({ token }) => denyToken(deps.db.sql, { jti: String(decodeJwt(token).jti), expiresAt: new Date() }),
    ],
    ...(["suspended", "consumed", "expired", "revoked"] as const).map(
      (state): [string, (held: Held) => Promise<unknown>] => [
        `its mandate has become ${state}`,
        (held) =>
          deps.db.prisma.mandate.update({
            ...mandate(held),
            data: { state, suspendedBy: state === "suspended" ? ["payer"] : [] },
          }),
      ],
    ),
  ];
  test.each(ends)("is refused after %s", async (_title, end) => {
    const held = await makeToken();
    expect(await use(deps, held.token)).toMatchObject({ clientId: held.parties.agent.id });
    await end(held);
    await expect(use(deps, held.token)).rejects.toMatchObject({ code: "invalid_token" });
  });

  test("is refused after its mandate's end, even if the payer set this end after the token was issued (docs/spec/payments.md, Mandate fields)", async () => {
    const held = await makeToken();
    const { parties, mandateId, token } = held;
    const valid_until = addSeconds(deps.clock.now(), 30).toISOString();
    const actor = { kind: "payer", id: parties.payer.id } as const;
    await narrowMandate(deps, { mandateId, actor, requestId: "req_test", narrowing: { valid_until } });
    const isShown = async () => (await introspectAs(deps, parties.agent, token)).active;
    deps.clock.advance(29);
    expect(await use(deps, token)).toMatchObject({ clientId: parties.agent.id });
    expect(await isShown()).toBe(true);
    deps.clock.advance(1);
    // The mandate has expired, and no job has recorded it yet.
    expect(await deps.db.prisma.mandate.findUniqueOrThrow(mandate(held))).toMatchObject({ state: "active" });
    await expect(use(deps, token)).rejects.toMatchObject({ code: "invalid_token" });
    expect(await isShown()).toBe(false);
  });

  test("is refused if the row of its mandate, grant or client is missing", async () => {
    const [held, other] = [await makeToken(), await createTestDeps({ config: { baseUrl: deps.config.baseUrl } })];
    try {
      // The same keys with another database, which contains none of these rows.
      await expect(use({ ...other, keys: deps.keys }, held.token)).rejects.toMatchObject({ code: "invalid_token" });
    } finally {
      await other.close();
    }
  });

  test("causes an error if the database is unavailable: access isn't granted", async () => {
    const [held, away] = [await makeToken(), await anotherNode(deps)];
    await away.close();
    await expect(use(away, held.token)).rejects.toThrow();
  });
});
