import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { keyPurposes } from "../../kernel/key-purpose.ts";
import { rotationSeconds } from "../rules/key-life.ts";
import { listKeys } from "./list-signing-keys.ts";
import { maintainSigningKeys } from "./maintain-signing-keys.ts";
import { kidOf, kidsByState, passPublicationTime, revoke, rotate } from "./signing-keys.fixture.ts";

let deps: TestDeps;
beforeEach(async () => {
  deps = await createTestDeps();
});
afterEach(() => deps.close());

const worker = { kind: "system", id: "worker" } as const;
const maintain = () => maintainSigningKeys(deps, worker);
const rowOf = (kid: string) => deps.db.prisma.signingKey.findUniqueOrThrow({ where: { kid } });
const auditOf = async (kid: string): Promise<string[]> => {
  const rows = await deps.db.prisma.$queryRaw<{ action: string }[]>`
    SELECT action FROM audit_entry WHERE subject_id = ${kid} AND action LIKE 'signing_key.%' ORDER BY at, action`;
  return rows.map(({ action }) => action.replace("signing_key.", ""));
};
const kidsInJwks = () => deps.keys.jwks().keys.map(({ kid }) => kid);

describe("rotation (docs/spec/oauth.md, Signing keys)", () => {
  it("is done by the job after 30 days, and only once if there are several workers", async () => {
    const before = await kidsByState(deps);
    deps.clock.advance(rotationSeconds);
    const runs = await Promise.all([maintain(), maintain(), maintain(), maintain()]);
    expect(runs.map((steps) => steps.length).sort((a, b) => b - a)).toEqual([2 * keyPurposes.length, 0, 0, 0]);
    const after = await kidsByState(deps);
    expect(after).toMatchObject({ active: before.next, retired: before.active });
    expect(after.next).not.toEqual(before.next);
  });

  it("is done immediately on request if the next key has been published for long enough", async () => {
    const { active, next } = await kidsByState(deps);
    passPublicationTime(deps);
    expect(kidsInJwks()).toContain(next[0]);
    expect(await rotate(deps)).toEqual({ outcome: "rotated", kid: next[0] });
    expect(kidOf(deps)).toBe(next[0]);
    // Signatures of the old key can still be verified.
    expect(deps.keys.findVerificationKey(active[0] ?? "", "access_token")).not.toBeNull();
    expect(await auditOf(active[0] ?? "")).toEqual(["created", "retired", "rotation_requested"]);
    expect(await auditOf(next[0] ?? "")).toEqual(["created", "activated"]);
  });

  it("waits while a reader might still lack the next key; the job rotates as soon as every reader has it", async () => {
    passPublicationTime(deps);
    await rotate(deps);
    const { active, next } = await kidsByState(deps);
    expect(await rotate(deps)).toMatchObject({ outcome: "requested", kid: next[0] });
    expect(await rotate(deps)).toMatchObject({ outcome: "requested", kid: next[0] });
    expect(await maintain()).toEqual([]);
    expect(await auditOf(active[0] ?? "")).toEqual(["created", "activated", "rotation_requested"]);
    passPublicationTime(deps);
    expect((await maintain()).map(({ step }) => step)).toEqual(["promote", "create"]);
    expect(await kidsByState(deps)).toMatchObject({ active: next });
  });

  it("destroys the old private key immediately", async () => {
    const kid = kidOf(deps);
    passPublicationTime(deps);
    await rotate(deps);
    expect(await rowOf(kid)).toMatchObject({ state: "retired", privateSealed: null });
  });

  it("doesn't change keys of other purposes", async () => {
    passPublicationTime(deps);
    const before = await kidsByState(deps, "receipt");
    await rotate(deps, "credential");
    expect(await kidsByState(deps, "receipt")).toEqual(before);
  });

  it("is followed by the deletion of the old key from the JWKS; the public half is kept for the audit", async () => {
    const kid = kidOf(deps);
    passPublicationTime(deps);
    await rotate(deps);
    const { publishUntil } = await rowOf(kid);
    deps.clock.set(new Date(Number(publishUntil) - 1));
    await maintain();
    await deps.keys.refresh();
    expect(kidsInJwks()).toContain(kid);
    deps.clock.advance(1);
    await maintain();
    await deps.keys.refresh();
    expect(kidsInJwks()).not.toContain(kid);
    expect(await rowOf(kid)).toMatchObject({ state: "deleted", publicJwk: { kid, kty: "EC" } });
    expect(await auditOf(kid)).toContain("deleted");
  });

  const update = (kid: string | undefined, data: { purpose?: string; privateSealed?: string | null }) =>
    deps.db.prisma.signingKey.update({ where: { kid: kid ?? "" }, data });

  it("keeps the current key if the next one can't be decrypted, because it was sealed for another kid or purpose", async () => {
    const [tokens, receipts, directory] = [
      await kidsByState(deps),
      await kidsByState(deps, "receipt"),
      await kidsByState(deps, "directory"),
    ];
    const { privateSealed } = await rowOf(receipts.next[0] ?? "");
    await update(tokens.next[0], { privateSealed });
    await update(directory.next[0], { purpose: "none" });
    await update(receipts.next[0], { purpose: "directory" });
    passPublicationTime(deps);
    for (const purpose of ["access_token", "directory"] as const) {
      await expect(rotate(deps, purpose)).rejects.toThrow(/authenticate/);
    }
    expect(await kidsByState(deps)).toEqual(tokens);
    expect(await kidsByState(deps, "directory")).toMatchObject({ active: directory.active, retired: [] });
  });
});

describe("revocation (docs/spec/oauth.md, Signing keys)", () => {
  it("removes the key from the JWKS, destroys the private key and activates the next key, in one transaction", async () => {
    const before = await kidsByState(deps);
    const kid = before.active[0] ?? "";
    expect(await revoke(deps, kid)).toEqual({ isNew: true, purpose: "access_token" });
    expect(kidsInJwks()).not.toContain(kid);
    expect(deps.keys.findVerificationKey(kid, "access_token")).toBeNull();
    expect(kidOf(deps)).toBe(before.next[0]);
    expect(await rowOf(kid)).toMatchObject({ state: "revoked", privateSealed: null });
    expect(await auditOf(kid)).toEqual(["created", "revoked"]);
    expect((await kidsByState(deps)).next).toHaveLength(1);
  });

  it("changes nothing when repeated, and is audited once", async () => {
    const kid = kidOf(deps);
    const revocations = await Promise.all([1, 2, 3, 4].map(() => revoke(deps, kid)));
    expect(revocations.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await auditOf(kid)).toEqual(["created", "revoked"]);
    const { revokedAt } = await rowOf(kid);
    deps.clock.advance(60);
    await revoke(deps, kid);
    expect((await rowOf(kid)).revokedAt).toEqual(revokedAt);
  });

  it("is also possible for a next or a retired key", async () => {
    const { active, next } = await kidsByState(deps);
    await revoke(deps, next[0] ?? "");
    expect(kidOf(deps)).toBe(active[0]);
    passPublicationTime(deps);
    await rotate(deps);
    await revoke(deps, active[0] ?? "");
    expect(kidsInJwks()).not.toContain(active[0]);
    const { retired, revoked } = await kidsByState(deps);
    expect(retired).toEqual([]);
    expect(revoked.sort()).toEqual([...active, ...next].sort());
  });

  it("reports an unknown kid", async () => {
    await expect(revoke(deps, "unknown")).rejects.toMatchObject({ kind: "not_found" });
  });
});

it("concurrent rotations, revocations and jobs leave one active and one next key per purpose", async () => {
  for (let round = 0; round < 8; round++) {
    passPublicationTime(deps);
    const kid = kidOf(deps);
    await Promise.all([rotate(deps), revoke(deps, kid), rotate(deps), maintain(), maintain(), revoke(deps, kid)]);
    const kids = await kidsByState(deps);
    expect([kids.active.length, kids.next.length]).toEqual([1, 1]);
    expect(kids.revoked).toContain(kid);
    expect(kids.active).not.toContain(kid);
    expect(kidOf(deps)).toBe(kids.active[0]);
  }
});

it("the operator's view of a key has no private key", async () => {
  passPublicationTime(deps);
  await rotate(deps);
  await revoke(deps, kidOf(deps, "receipt"));
  const { keys } = await listKeys(deps);
  const states = keys.filter(({ purpose }) => purpose === "access_token").map(({ state }) => state);
  expect(states.sort()).toEqual(["active", "next", "retired"]);
  expect(Object.keys(keys[0] ?? {}).sort()).toEqual(["createdAt", "kid", "purpose", "since", "state", "until"]);
});
