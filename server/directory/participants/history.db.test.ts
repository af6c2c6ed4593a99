import { createHash } from "node:crypto";
import { calculateJwkThumbprint } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { makeKey } from "#e2e/support/oauth/oauth-client.ts";
import { applyPatch } from "#e2e/support/peers/json-patch.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { statement } from "../../data/client.ts";
import type { ParticipantVersionRow } from "../../data/directory/participant-versions.ts";
import { serverParticipantId } from "../../kernel/server-participant-id.ts";
import { canonicalJson } from "../../kernel/text/canonical-json.ts";
import { setSuspension } from "../../merchants/set-suspension.ts";
import { registerClient } from "../../oauth/clients/register-client.ts";
import { createInitialAccessToken } from "../../oauth/initial-tokens/create-initial-access-token.ts";
import { enterServerParticipant } from "../../oauth/keys/server-participant.ts";
import { passPublicationTime, rotate } from "../../oauth/keys/signing-keys.fixture.ts";
import { serverEntry } from "../../oauth/server-entry.ts";
import { listChanges } from "../changes/list-changes.ts";
import { editParticipant } from "./edit-participant.ts";
import { getParticipant, listParticipantHistory } from "./find-participant.ts";
import { recordMissingVersions } from "./record-missing-versions.ts";
import { recordVersion } from "./record-version.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const info = { requestId: "req_test", ipAddress: "", userAgent: "" };
const system = { kind: "system", id: "test" } as const;

const register = async (authorization: string | null = null) => {
  const key = await makeKey();
  const metadata = { client_name: "Bot", grant_types: ["client_credentials"], jwks: { keys: [key.publicJwk] } };
  const scope = authorization === null ? "directory.write" : "charges.read";
  const { client_id: clientId } = await registerClient(deps, { metadata: { ...metadata, scope }, authorization, info });
  const { participantId } = await deps.db.prisma.client.findUniqueOrThrow({ where: { id: clientId } });
  return { clientId, participantId: participantId ?? "", key };
};

const thumbprintOf = ({ key }: Awaited<ReturnType<typeof register>>) => calculateJwkThumbprint(key.publicJwk);

/** Oldest first. */
const versionsOf = async (id: string) =>
  (await listParticipantHistory(deps, { id, before: null, limit: 100 })).versions.reverse();

const edit = (own: { clientId: string; participantId: string }, contacts: string[], displayName = "Bot") =>
  editParticipant(deps, {
    ...own,
    requestId: "req_test",
    server: () => serverEntry(deps),
    hasRead: () => true,
    edit: {
      displayName,
      legalName: null,
      websiteUri: null,
      logoUri: null,
      contacts,
      metadataUris: [],
      maxChargeAmounts: [],
      isWithdrawn: false,
    },
  });

const read = (id: string) => getParticipant(deps, { id, server: () => serverEntry(deps) });

const expectConsistent = (versions: readonly ParticipantVersionRow[]) => {
  let document: unknown = {};
  for (const [index, version] of versions.entries()) {
    document = applyPatch(document, version.diff as { op: string; path: string }[]);
    expect(document).toEqual(version.document);
    expect(version.version).toBe(index + 1);
    const digest = createHash("sha256").update(canonicalJson(version.document)).digest("base64url");
    expect(version.documentSha256).toBe(digest);
  }
};

describe("the history of a participant (docs/spec/directory.md, History)", () => {
  test("has the document of each version, and applying the diffs to {} in order produces these documents", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const { token } = await createInitialAccessToken(deps, {
      kind: "merchant",
      merchantId,
      uses: 2,
      actor: system,
      requestId: "req_test",
    });
    const [first, second] = [await register(`Bearer ${token}`), await register(`Bearer ${token}`)];
    const operator = { actor: { kind: "operator", id: "acc_test" }, requestId: "req_test", reason: "test" } as const;
    await setSuspension(deps, { merchantId, isSuspended: true, ...operator });
    const versions = await versionsOf(first.participantId);
    expectConsistent(versions);
    expect(versions.map(({ change, changedBy }) => [change, changedBy])).toEqual([
      ["registered", "client"],
      ["client_registered", "client"],
      ["suspended", "operator"],
    ]);
    expect(versions[0]?.document).toMatchObject({
      id: first.participantId,
      merchant_id: merchantId,
      keys: [{ thumbprint: await thumbprintOf(first), kid: first.key.publicJwk.kid ?? null }],
    });
    const thumbprints = [await thumbprintOf(first), await thumbprintOf(second)].toSorted();
    expect(versions[2]?.document).toMatchObject({
      status: "suspended",
      keys: thumbprints.map((thumbprint) => ({ thumbprint })),
    });
    expect(versions[0]?.document).not.toHaveProperty("version");
  });

  test("contains contacts only as salted hashes; the salt of a removed contact is deleted, and the other salts are kept", async () => {
    const own = await register();
    await edit(own, ["a@shop.example", "b@shop.example"]);
    const before = await read(own.participantId);
    await edit(own, ["b@shop.example", "c@shop.example"]);
    const after = await read(own.participantId);
    expect(after.contact_salts[0]).toBe(before.contact_salts[1]);
    expect(new Set([...before.contact_salts, ...after.contact_salts]).size).toBe(3);
    for (const salt of after.contact_salts) expect(Buffer.from(salt, "base64url")).toHaveLength(16);
    const versions = await versionsOf(own.participantId);
    expectConsistent(versions);
    const hashes = after.contacts.map((contact, index) =>
      createHash("sha256")
        .update(Buffer.from(after.contact_salts[index] ?? "", "base64url"))
        .update(contact)
        .digest("base64url"),
    );
    expect(versions.at(-1)?.document["contacts"]).toEqual(hashes);
    const stored = await deps.db.prisma.$queryRaw<{ text: string }[]>`
      SELECT v::text || p.contact_salts::text AS text FROM participant_version v JOIN participant p ON p.id = v.participant_id
       WHERE p.id = ${own.participantId}`;
    expect(stored).toHaveLength(3);
    for (const { text } of stored) {
      expect(text).not.toContain("@shop.example");
      expect(text).not.toContain(before.contact_salts[0]);
    }
  });

  test("gets no version if nothing changed", async () => {
    const own = await register();
    await edit(own, []);
    await edit(own, []);
    expect((await read(own.participantId)).version).toBe(1);
  });

  test("records the authorization server's signing keys when they change", async () => {
    await deps.db.transaction((tx) => enterServerParticipant(deps, { tx, at: deps.clock.now(), actor: system }));
    passPublicationTime(deps);
    await rotate(deps);
    const versions = await versionsOf(serverParticipantId);
    expectConsistent(versions);
    expect(versions.map(({ change }) => change)).toEqual(["registered", "keys_changed"]);
    const kids = deps.keys.jwks().keys.map(({ kid = "" }) => kid);
    const keys = kids.toSorted().map((kid) => ({ thumbprint: kid, kid }));
    expect(versions.at(-1)?.document["keys"]).toEqual(keys);
  });

  test("gets its first version exactly once if the participant is older than the log", async () => {
    const at = deps.clock.now();
    await deps.db.prisma.participant.create({
      data: { id: "ptc_earlier", roles: ["client"], displayName: "Earlier", createdAt: at, updatedAt: at },
    });
    const missing = () => recordMissingVersions(deps.db, { environment: deps.config.environment, at });
    await Promise.all([missing(), missing()]);
    expect(await versionsOf("ptc_earlier")).toMatchObject([{ change: "registered", changedBy: "system" }]);
  });

  test("can't be changed or deleted", async () => {
    const { participantId } = await register();
    await expect(
      deps.db.prisma.$executeRaw`UPDATE participant_version SET change = 'x' WHERE participant_id = ${participantId}`,
    ).rejects.toThrow("append-only");
    await expect(deps.db.prisma.$executeRaw`DELETE FROM directory_log_entry`).rejects.toThrow("append-only");
  });
});

describe("indexes in the log (docs/spec/directory.md, Transparency log)", () => {
  test("each concurrent change gets the next index, in the order of the commits, and a reader of the changes misses none", async () => {
    const owners = await Promise.all(Array.from({ length: 8 }, () => register()));
    const { next: start } = await listChanges(deps, { from: 0, limit: 1_000 });
    const total = owners.length * 5;
    const seen: number[] = [];
    const follow = async () => {
      for (let from = start; seen.length < total; ) {
        const { changes, next } = await listChanges(deps, { from, limit: 7 });
        seen.push(...changes.map(({ logIndex }) => logIndex));
        from = next;
      }
    };
    const write = owners.map(async (own, owner) => {
      for (let turn = 1; turn <= 5; turn += 1) await edit(own, [], `Bot ${owner} ${turn}`);
    });
    await Promise.all([follow(), ...write]);
    expect(seen).toEqual(Array.from({ length: total }, (_, index) => start + index));
    for (const { participantId } of owners) expectConsistent(await versionsOf(participantId));
  });

  test("a change that is rolled back leaves no gap", async () => {
    const own = await register();
    const { next } = await listChanges(deps, { from: 0, limit: 1_000 });
    const undone = deps.db.sqlTransaction(async (sql) => {
      const at = deps.clock.now();
      await sql.query(statement("rename", "UPDATE participant SET display_name = 'Undone' WHERE id = $1"), [
        own.participantId,
      ]);
      const { environment } = deps.config;
      await recordVersion(sql, { id: own.participantId, change: "edited", changedBy: "client", at, environment });
      throw new Error("rolled back");
    });
    await expect(undone).rejects.toThrow("rolled back");
    await edit(own, [], "Next");
    const { changes } = await listChanges(deps, { from: next, limit: 10 });
    expect(changes.map(({ logIndex, displayName }) => [logIndex, displayName])).toEqual([[next, "Next"]]);
  });
});
