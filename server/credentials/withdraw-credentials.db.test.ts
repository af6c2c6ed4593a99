import { decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { Deps } from "../deps/deps.ts";
import type { JsonObject } from "../kernel/text/json.ts";
import { allocateStatus } from "../mandates/status-indexes/allocate-status.ts";
import { listKeys } from "../oauth/keys/list-signing-keys.ts";
import { kidOf, passPublicationTime, revoke, rotate, startNode } from "../oauth/keys/signing-keys.fixture.ts";
import { issueMandateCredential } from "./issue-mandate-credential.ts";
import { makeMandateRow } from "./mandate-row.fixture.ts";
import { ensureStatusLists, publishStatusLists } from "./status-lists/publish-status-lists.ts";
import { withdrawCredentials } from "./withdraw-credentials.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
  await ensureStatusLists(deps);
});
afterAll(() => deps.close());

type Mandate = { id: string; clientId: string; details: JsonObject & { type: string } };

const issue = (node: Deps, { id, clientId, details }: Mandate) =>
  issueMandateCredential(node, {
    mandateId: id,
    clientId,
    held: { ...details, identifier: id },
    format: "vc+jwt",
    confirmationKey: null,
    requestId: "req_1",
  });
const signerOf = (credential: string) => decodeProtectedHeader(credential).kid;

const makeMandate = async () => {
  const mandate = await makeMandateRow(deps);
  const { id: mandateId, details } = mandate;
  await allocateStatus(deps, deps.db.sql, { mandateId, version: 1, details, at: deps.clock.now() });
  return mandate;
};
const eventsOf = (id: string) => deps.db.prisma.event.findMany({ where: { objectId: id } });
const kidOfVersion = async (mandateId: string) =>
  (await deps.db.prisma.mandateVersion.findFirstOrThrow({ where: { mandateId } })).credentialKid;
const listSigners = async () => {
  const lists = await deps.db.prisma.statusList.findMany();
  return [...new Set(lists.map(({ kid, body }) => (kid === signerOf(body ?? "") ? kid : "another")))];
};

describe("a revoked credential key (docs/spec/oauth.md, Signing keys)", () => {
  it("causes every status list to be signed again, once", async () => {
    const kid = kidOf(deps, "credential");
    expect(await listSigners()).toEqual([kid]);
    await revoke(deps, kid);
    deps.clock.advance(1);
    expect(await Promise.all([publishStatusLists(deps), publishStatusLists(deps)])).toContain(1);
    expect(await listSigners()).toEqual([kidOf(deps, "credential")]);
    deps.clock.advance(1);
    expect(await publishStatusLists(deps)).toBe(0);
  });

  it("causes exactly one request per live mandate to fetch a new credential, even with several concurrent workers", async () => {
    const mandates = await Promise.all(Array.from({ length: 8 }, makeMandate));
    const [ended, ...live] = mandates;
    if (!ended) throw new Error("no mandates");
    const untouched = await makeMandate();
    for (const mandate of mandates) await issue(deps, mandate);
    await deps.db.prisma.mandate.update({ where: { id: ended.id }, data: { state: "revoked" } });
    await revoke(deps, kidOf(deps, "credential"));
    expect((await listKeys(deps)).credentialsToWithdraw).toBe(8);

    await Promise.all([1, 2, 3].map(() => withdrawCredentials(deps, { limit: 3 })));
    const left = (await listKeys(deps)).credentialsToWithdraw;
    expect([0, 1, 2, 3, 4, 5]).toContain(left);
    while ((await withdrawCredentials(deps, { limit: 3 })) > 0);
    expect((await listKeys(deps)).credentialsToWithdraw).toBe(0);
    for (const { id } of live) {
      expect(await eventsOf(id)).toMatchObject([
        { type: "mandate.updated", sequence: 1, data: { mandate_id: id, reason: "credential_withdrawn", version: 1 } },
      ]);
    }
    expect([...(await eventsOf(ended.id)), ...(await eventsOf(untouched.id))]).toEqual([]);
    const [first] = live;
    const [{ count } = { count: 0n }] = await deps.db.prisma.$queryRaw<{ count: bigint }[]>`
      SELECT count(*) FROM audit_entry WHERE action = 'credential.withdrawn' AND subject_id = ${first?.id}`;
    expect(count).toBe(1n);
  });

  it("signs no more credentials, even on a node that hasn't seen the revocation", async () => {
    const mandate = await makeMandate();
    const node = await startNode(deps, { isStopped: true });
    const kid = kidOf(deps, "credential");
    expect(signerOf(await issue(node, mandate))).toBe(kid);
    await revoke(deps, kid);
    expect(kidOf(node, "credential")).toBe(kid);
    const present = kidOf(deps, "credential");
    expect(signerOf(await issue(node, mandate))).toBe(present);
    expect(await kidOfVersion(mandate.id)).toBe(present);
    expect(await withdrawCredentials(deps, { limit: 10 })).toBe(0);
  });
});

describe("a rotated credential key", () => {
  it("stays published until every mandate for which it may have signed a credential has ended", async () => {
    const mandate = await makeMandate();
    const kid = kidOf(deps, "credential");
    await issue(deps, mandate);
    passPublicationTime(deps);
    await rotate(deps, "credential");
    const { publishUntil } = await deps.db.prisma.signingKey.findUniqueOrThrow({ where: { kid } });
    const { _max } = await deps.db.prisma.mandate.aggregate({ _max: { validUntil: true } });
    expect(publishUntil).toEqual(_max.validUntil);
    expect(await withdrawCredentials(deps, { limit: 10 })).toBe(0);
  });

  it("stays published for a mandate that was granted after the rotation, and is removed when this mandate ends", async () => {
    const kid = kidOf(deps, "credential");
    passPublicationTime(deps);
    await rotate(deps, "credential");
    const late = await makeMandate();
    const validUntil = new Date(deps.clock.now().getTime() + 200 * 86_400_000);
    await deps.db.prisma.mandate.update({ where: { id: late.id }, data: { validUntil } });
    const row = () => deps.db.prisma.signingKey.findUniqueOrThrow({ where: { kid } });
    const before = (await row()).publishUntil;
    deps.clock.set(new Date(Number(before)));
    await rotate(deps, "credential");
    expect(await row()).toMatchObject({ state: "retired", publishUntil: validUntil });
    deps.clock.set(validUntil);
    await rotate(deps, "credential");
    expect(await row()).toMatchObject({ state: "deleted" });
  });
});
