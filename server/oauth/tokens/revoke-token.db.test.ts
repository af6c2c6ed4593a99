import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { introspectAs } from "#e2e/support/oauth/pending-client.ts";
import { countLockWaits } from "#e2e/support/statements.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { errorOf, grantTo, info, makeParties, type Parties } from "../grants/granted.fixture.ts";
import { revokeToken } from "./revoke-token.ts";

let deps: TestDeps;
let parties: Parties;
beforeAll(async () => {
  deps = await createTestDeps();
  parties = await makeParties(deps);
});
afterAll(() => deps.close());

const revoke = (token: string, client = parties.agent) => revokeToken(deps, { client, token, info });
const entriesOf = (subjectId: string, action: string) =>
  deps.db.prisma.$queryRaw<{ data: object }[]>`
    SELECT data FROM audit_entry WHERE subject_id = ${subjectId} AND action = ${action}`;

test("50 concurrent revocations of one access token are recorded once (RFC 7009 §2.2)", async () => {
  const { accessToken, grantId } = await grantTo(deps, parties);
  const token = await accessToken();
  await Promise.all(Array.from({ length: 50 }, () => revoke(token)));
  expect(await entriesOf(grantId, "token.revoked")).toEqual([{ data: { jti: decodeJwt(token).jti } }]);
});

test("50 concurrent revocations of a refresh token end its mandate once", async () => {
  const { refreshToken, grantId, mandateId } = await grantTo(deps, parties);
  const secret = await refreshToken();
  await Promise.all(Array.from({ length: 50 }, () => revoke(secret)));
  expect(await entriesOf(mandateId, "mandate.revoked")).toHaveLength(1);
  expect(await entriesOf(grantId, "grant.revoked")).toHaveLength(1);
});

test("revoking a refresh token that already ended because of reuse still ends the mandate", async () => {
  const { refreshToken, mandateId } = await grantTo(deps, parties);
  const secret = await refreshToken();
  await deps.db.prisma.refreshToken.updateMany({ data: { revokedAt: deps.clock.now() } });
  await revoke(secret);
  const { state } = await deps.db.prisma.mandate.findUniqueOrThrow({ where: { id: mandateId } });
  expect(state).toBe("revoked");
});

test("a revocation that waits for a replacement of its grant doesn't end the new consent (Grant Management §5.2)", async () => {
  const { refreshToken, grantId, mandateId } = await grantTo(deps, parties);
  const secret = await refreshToken();
  const { revoking } = await deps.db.transaction(async (tx) => {
    const at = addSeconds(deps.clock.now(), 1);
    await tx.grant.update({ where: { id: grantId }, data: { reauthorizedAt: at } });
    await tx.refreshToken.updateMany({ where: { grantId }, data: { revokedAt: at } });
    const revoking = revoke(secret);
    await expect.poll(() => countLockWaits(deps)).toBe(1);
    return { revoking };
  });
  await revoking;
  const { state, grant } = await deps.db.prisma.mandate.findUniqueOrThrow({
    where: { id: mandateId },
    include: { grant: true },
  });
  expect([state, grant.endedAt]).toEqual(["active", null]);
});

test("a client that tries to revoke another client's token is refused, and the token stays valid", async () => {
  const { accessToken, refreshToken } = await grantTo(deps, parties);
  const stranger = await makeParties(deps);
  for (const token of [await accessToken(), await refreshToken()]) {
    for (const client of [stranger.agent, parties.merchantClient]) {
      expect(await errorOf(revoke(token, client))).toBe("invalid_grant");
    }
    expect((await introspectAs(deps, parties.agent, token)).active).toBe(true);
  }
});
