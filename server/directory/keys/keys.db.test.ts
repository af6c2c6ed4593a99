import { readFile } from "node:fs/promises";
import { calculateJwkThumbprint, type JWK } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey } from "#e2e/support/oauth/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { statement } from "../../data/client.ts";
import { serverParticipantId } from "../../kernel/server-participant-id.ts";
import { registerClient } from "../../oauth/clients/register-client.ts";
import { enterServerParticipant } from "../../oauth/keys/server-participant.ts";
import { passPublicationTime, revoke, rotate } from "../../oauth/keys/signing-keys.fixture.ts";
import { recordClientChange } from "../participants/record-client-change.ts";
import { listKeyHolders, listParticipantKeys } from "./find-keys.ts";

let deps: TestDeps;
let publicJwks: JWK[];
beforeAll(async () => {
  deps = await createTestDeps();
  const keys = await Promise.all([makeKey(), makeKey(), makeKey()]);
  publicJwks = keys.map(({ publicJwk }, index) => ({ ...publicJwk, kid: `key-${index}` }));
});
afterAll(() => deps.close());

const info = { requestId: "req_test", ipAddress: "", userAgent: "" };
const system = { kind: "system", id: "test" } as const;
const keyAt = (index: number): JWK => publicJwks[index] ?? {};
const thumbprintOf = (index: number) => calculateJwkThumbprint(keyAt(index));

const register = async (...keys: JWK[]) => {
  const metadata = {
    client_name: "Bot",
    grant_types: ["client_credentials"],
    scope: "directory.write",
    jwks: { keys },
  };
  const { client_id: clientId } = await registerClient(deps, { metadata, authorization: null, info });
  const { participantId } = await deps.db.prisma.client.findUniqueOrThrow({ where: { id: clientId } });
  return { clientId, participantId: participantId ?? "" };
};

/** Replaces the client's keys a second later. @returns the time of the change. */
const replaceKeys = async (clientId: string, ...keys: JWK[]): Promise<Date> => {
  deps.clock.advance(1);
  const at = deps.clock.now();
  const { environment } = deps.config;
  await deps.db.transaction(async (tx) => {
    await tx.client.update({ where: { id: clientId }, data: { jwks: { keys: keys.map((key) => ({ ...key })) } } });
    await recordClientChange(tx.sql, { clientId, change: "keys_changed", at, actor: system, environment });
  });
  return at;
};

type KeptKey = { thumbprint: string; jwk: object | null; since: Date; until: Date | null };
const keptKeys = statement<KeptKey>(
  "kept_keys",
  `SELECT thumbprint, jwk, since, until FROM participant_key WHERE participant_id = $1
    ORDER BY until NULLS LAST, thumbprint`,
);

const keysOf = async (participantId: string, withRetired = false) =>
  (await listParticipantKeys(deps, { participantId, withRetired })).map(({ thumbprint, until }) => ({
    thumbprint,
    until,
  }));

describe("the keys of a participant (docs/spec/directory.md, Keys)", () => {
  test("are kept with the time of each change; a key that is used again is current again", async () => {
    const registeredAt = deps.clock.now();
    const { clientId, participantId } = await register(keyAt(0));
    const [first, second] = [await thumbprintOf(0), await thumbprintOf(1)];
    const retiredAt = await replaceKeys(clientId, keyAt(1));
    expect(await keysOf(participantId)).toEqual([{ thumbprint: second, until: null }]);
    const all = [
      { thumbprint: first, until: retiredAt },
      { thumbprint: second, until: null },
    ];
    const byThumbprint = (left: { thumbprint: string }, right: { thumbprint: string }) =>
      left.thumbprint < right.thumbprint ? -1 : 1;
    expect(await keysOf(participantId, true)).toEqual(all.toSorted(byThumbprint));
    const againAt = await replaceKeys(clientId, keyAt(0), keyAt(1));
    expect((await keysOf(participantId, true)).map(({ until }) => until)).toEqual([null, null]);
    expect(await listKeyHolders(deps, first)).toEqual([
      { participantId, since: againAt, until: null },
      { participantId, since: registeredAt, until: retiredAt },
    ]);
  });

  test("contain only what identifies and describes a key", async () => {
    const { participantId } = await register({ ...keyAt(2), "x-owner": "Jane Doe" } as JWK);
    const { kty, crv, x, y, kid, alg, use } = keyAt(2) as Record<string, string>;
    const [key] = await listParticipantKeys(deps, { participantId, withRetired: false });
    expect(key?.jwk).toEqual(JSON.parse(JSON.stringify({ kty, crv, x, y, kid, alg, use })));
  });

  test("can't be listed for an unknown participant, and can't be found by a thumbprint that no participant held", async () => {
    const unknown = listParticipantKeys(deps, { participantId: "ptc_unknown", withRetired: true });
    await expect(unknown).rejects.toMatchObject({ code: "participant_not_found" });
    await expect(listKeyHolders(deps, "A".repeat(43))).rejects.toMatchObject({ code: "key_not_found" });
  });

  test("are no longer current once they are revoked, if the participant is the authorization server", async () => {
    await deps.db.transaction((tx) => enterServerParticipant(deps, { tx, at: deps.clock.now(), actor: system }));
    passPublicationTime(deps);
    const before = deps.keys.signingKey("access_token").kid;
    await rotate(deps);
    expect(await keysOf(serverParticipantId)).toContainEqual({ thumbprint: before, until: null });
    const revokedAt = deps.clock.now();
    await revoke(deps, before);
    expect(await listKeyHolders(deps, before)).toMatchObject([
      { participantId: serverParticipantId, until: revokedAt },
    ]);
    const kids = deps.keys.jwks().keys.map(({ kid }) => kid);
    expect((await keysOf(serverParticipantId)).map(({ thumbprint }) => thumbprint)).toEqual(kids.toSorted());
  });

  test("are imported by the migration from the history and from the clients", async () => {
    const { clientId, participantId } = await register(keyAt(0), keyAt(1));
    await replaceKeys(clientId, keyAt(1), keyAt(2));
    const kept = () => deps.db.sql.query(keptKeys, [participantId]);
    const before = await kept();
    await deps.db.prisma.$executeRaw`TRUNCATE participant_key`;
    const file = new URL("../../../prisma/migrations/20261127120500_participant_keys/migration.sql", import.meta.url);
    const [, insert = "", update = ""] = (await readFile(file, "utf8")).split(/^WITH /m);
    await deps.db.prisma.$executeRawUnsafe(`WITH ${insert}`);
    await deps.db.prisma.$executeRawUnsafe(`WITH ${update}`);
    const [ended, ...current] = before;
    expect(await kept()).toEqual([{ ...ended, jwk: null }, ...current]);
  });
});
