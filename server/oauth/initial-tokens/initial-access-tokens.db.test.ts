import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeMerchant, makePayer } from "#e2e/support/factories.ts";
import { makeKey } from "#e2e/support/oauth/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { isOAuthError } from "../../kernel/errors.ts";
import { registerClient } from "../clients/register-client.ts";
import { listMerchantClients } from "../own-clients/list-merchant-clients.ts";
import { createInitialAccessToken } from "./create-initial-access-token.ts";
import { listInitialAccessTokens } from "./list-initial-access-tokens.ts";
import { revokeInitialAccessToken } from "./revoke-initial-access-token.ts";

let deps: TestDeps;
let merchantId: string;
let accountId: string;
beforeAll(async () => {
  deps = await createTestDeps({ config: { environment: "production" } });
  accountId = (await makePayer(deps)).id;
});
afterAll(() => deps.close());
beforeEach(async () => {
  merchantId = (await makeMerchant(deps)).id;
});

const by = () => ({ actor: { kind: "merchant", id: accountId }, requestId: "req_test" }) as const;
const make = (input: { uses?: number; label?: string; ownerId?: string } = {}) => {
  const { ownerId = merchantId, ...wish } = input;
  return createInitialAccessToken(deps, { kind: "merchant", merchantId: ownerId, ...wish, ...by() });
};
const revoke = (tokenId: string, ownerId: string | null = merchantId) =>
  revokeInitialAccessToken(deps, { tokenId, ownerId, ...by() });

/** @returns the client's id or the error. */
const register = async (token: string, jwks?: { keys: object[] }): Promise<string> => {
  const metadata = {
    client_name: "Fresh Market checkout",
    grant_types: ["client_credentials"],
    scope: "charges.read",
    jwks: jwks ?? { keys: [(await makeKey()).publicJwk] },
  };
  const info = { requestId: "req_test", ipAddress: "127.0.0.1", userAgent: "Vitest" };
  try {
    return (await registerClient(deps, { metadata, authorization: `Bearer ${token}`, info })).client_id;
  } catch (error) {
    if (isOAuthError(error)) return error.description;
    throw error;
  }
};
const revokedWords = "the initial access token has been revoked";

const auditOf = (subjectId: string) =>
  deps.db.prisma.$queryRaw<{ action: string; actorId: string; data: unknown }[]>`
    SELECT action, actor_id AS "actorId", data FROM audit_entry WHERE subject_id = ${subjectId} ORDER BY seq`;

describe("initial access tokens created by people (docs/spec/oauth.md, Client registration)", () => {
  test("are listed with creator, remaining uses and last use, without the token itself", async () => {
    const made = await make({ uses: 3, label: "Deployment" });
    deps.clock.advance(60);
    await register(made.token);
    const { tokens } = await listInitialAccessTokens(deps, { ownerId: merchantId, limit: 10 });
    const { displayName } = await deps.db.prisma.account.findUniqueOrThrow({ where: { id: accountId } });
    expect(tokens).toEqual([
      {
        id: made.id,
        kind: "merchant",
        merchantId,
        label: "Deployment",
        maker: displayName,
        usesLeft: 2,
        participantId: null,
        isMakerActive: true,
        scopes: expect.arrayContaining(["charges.read"]),
        createdAt: new Date(deps.clock.now().getTime() - 60_000),
        expiresAt: made.expiresAt,
        lastUsedAt: deps.clock.now(),
        revokedAt: null,
      },
    ]);
    expect(JSON.stringify(tokens)).not.toContain(made.token);
  });

  test("are listed newest first in pages, never with another owner's tokens, and another owner's cursor is refused", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await make()).id);
    const other = await make({ ownerId: (await makeMerchant(deps)).id });
    const page = async (startingAfter?: string) => {
      const { tokens, hasMore } = await listInitialAccessTokens(deps, { ownerId: merchantId, startingAfter, limit: 2 });
      return { ids: tokens.map(({ id }) => id), hasMore };
    };
    const first = await page();
    expect(first.hasMore).toBe(true);
    const rest = await page(first.ids.at(-1));
    const last = await page(rest.ids.at(-1));
    expect([...first.ids, ...rest.ids, ...last.ids].toSorted()).toEqual(ids.toSorted());
    expect(last.hasMore).toBe(false);
    expect(await page(other.id)).toEqual({ ids: [], hasMore: false });
    const agents = await listInitialAccessTokens(deps, { ownerId: null, limit: 100 });
    expect(agents.tokens.filter(({ merchantId: owner }) => owner !== null)).toEqual([]);
    const find = async (ownerId: string, search: string) =>
      (await listInitialAccessTokens(deps, { ownerId, search, limit: 2 })).tokens.map(({ id }) => id);
    expect(await find(merchantId, ids[1] ?? "")).toEqual([ids[1]]);
    expect(await find(merchantId, other.id)).toEqual([]);
  });

  test("need at least one scope", async () => {
    const wish = { kind: "merchant", merchantId, scopes: [], ...by() } as const;
    await expect(createInitialAccessToken(deps, wish)).rejects.toMatchObject({ errors: [{ pointer: "/scopes" }] });
  });

  test("are audited with their creator and an operator's reason, never with the token", async () => {
    const wish = { kind: "agent", merchantId: null, label: "Basket Ltd", reason: "Asked by Basket" } as const;
    const { id, token } = await createInitialAccessToken(deps, { ...wish, ...by() });
    await revokeInitialAccessToken(deps, { tokenId: id, ownerId: null, reason: "Wrong people", ...by() });
    const entries = await auditOf(id);
    expect(entries.map(({ action, actorId, data }) => [action, actorId, data])).toEqual([
      ["initial_access_token.created", accountId, expect.objectContaining({ reason: "Asked by Basket" })],
      ["initial_access_token.revoked", accountId, expect.objectContaining({ reason: "Wrong people" })],
    ]);
    expect(JSON.stringify(entries.map(({ data }) => data))).not.toContain(token);
  });
});

describe("revoking an initial access token", () => {
  test("ends it immediately, even if it has uses left; clients registered with it are kept", async () => {
    const { id, token } = await make({ uses: 3 });
    const clientId = await register(token);
    expect(await revoke(id)).toEqual({ isNew: true });
    expect(await register(token)).toBe(revokedWords);
    const { clients } = await listMerchantClients(deps, { merchantId, limit: 10 });
    expect(clients.map((client) => client.id)).toEqual([clientId]);
  });

  test("twenty times concurrently ends it once, with one audit entry", async () => {
    const { id } = await make();
    const answers = await Promise.all(Array.from({ length: 20 }, () => revoke(id)));
    expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect((await auditOf(id)).filter(({ action }) => action === "initial_access_token.revoked")).toHaveLength(1);
  });

  test("another owner's token gets the same error as a token that doesn't exist", async () => {
    const { id, token } = await make();
    const notFound = { code: "not_found" };
    for (const ownerId of [(await makeMerchant(deps)).id, null]) {
      await expect(revoke(id, ownerId)).rejects.toMatchObject(notFound);
    }
    await expect(revoke("iat_nowhere")).rejects.toMatchObject(notFound);
    expect(await register(token)).toMatch(/^cl_live_/);
  });

  test("lets each concurrent use either succeed before the revocation or be refused after it; later uses are refused", async () => {
    const { id, token } = await make({ uses: 10 });
    const [answers] = await Promise.all([Promise.all(Array.from({ length: 10 }, () => register(token))), revoke(id)]);
    const registered = answers.filter((answer) => answer.startsWith("cl_live_"));
    expect(new Set(answers.filter((answer) => !answer.startsWith("cl_live_")))).toEqual(
      new Set(registered.length === 10 ? [] : [revokedWords]),
    );
    const { tokens } = await listInitialAccessTokens(deps, { ownerId: merchantId, limit: 1 });
    expect(tokens[0]?.usesLeft).toBe(10 - registered.length);
    const { clients } = await listMerchantClients(deps, { merchantId, limit: 50 });
    expect(clients.map((client) => client.id).toSorted()).toEqual(registered.toSorted());
    expect(await register(token)).toBe(revokedWords);
  });
});

describe("a merchant's clients", () => {
  test("are returned with the RFC 7638 thumbprint of each key", async () => {
    const { calculateJwkThumbprint } = await import("jose");
    const keys = await Promise.all(["first", "second"].map(async (kid) => ({ ...(await makeKey()).publicJwk, kid })));
    const { token } = await make();
    await register(token, { keys });
    const { clients } = await listMerchantClients(deps, { merchantId, limit: 10 });
    expect(clients).toMatchObject([
      {
        name: "Fresh Market checkout",
        scopes: ["charges.read"],
        thumbprints: await Promise.all(keys.map((key) => calculateJwkThumbprint(key))),
      },
    ]);
  });

  test("are visible only to that merchant, and not listed after their deletion", async () => {
    const { token } = await make({ uses: 2 });
    const [kept, deleted] = [await register(token), await register(token)];
    await deps.db.prisma.client.update({ where: { id: deleted }, data: { deletedAt: deps.clock.now() } });
    const idsOf = async (owner: string) =>
      (await listMerchantClients(deps, { merchantId: owner, limit: 10 })).clients.map(({ id }) => id);
    expect(await idsOf(merchantId)).toEqual([kept]);
    expect(await idsOf((await makeMerchant(deps)).id)).toEqual([]);
  });
});
