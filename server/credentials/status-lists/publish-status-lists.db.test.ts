import { checkStatus, decodeList } from "@digitalbazaar/vc-bitstring-status-list";
import { getListFromStatusListJWT } from "@sd-jwt/jwt-status-list";
import { compactVerify, createLocalJWKSet, type JWTHeaderParameters } from "jose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { allocateStatus } from "../../mandates/status-indexes/allocate-status.ts";
import { markStatus } from "../../mandates/status-indexes/mark-status.ts";
import { makeMandateRow } from "../mandate-row.fixture.ts";
import { ensureStatusLists, publishStatusLists } from "./publish-status-lists.ts";

let deps: TestDeps;
beforeEach(async () => {
  deps = await createTestDeps({ now: new Date("2026-11-21T10:00:00.500Z") });
  await ensureStatusLists(deps);
});
afterEach(() => deps.close());

const bodyOf = async (id: string): Promise<string> =>
  (await deps.db.prisma.statusList.findUniqueOrThrow({ where: { id } })).body ?? "";

/** Reads a list like a client that has only the JWKS. */
const read = async (id: string): Promise<{ header: JWTHeaderParameters; payload: Record<string, unknown> }> => {
  const { payload, protectedHeader } = await compactVerify(await bodyOf(id), createLocalJWKSet(deps.keys.jwks()));
  return { header: protectedHeader as JWTHeaderParameters, payload: JSON.parse(new TextDecoder().decode(payload)) };
};

const makeMandateWithIndex = async () => {
  const { id } = await makeMandateRow(deps);
  await allocateStatus(deps, deps.db.sql, { mandateId: id, version: 1, details: {}, at: deps.clock.now() });
  const { statusIndex } = await deps.db.prisma.mandateVersion.findFirstOrThrow({ where: { mandateId: id } });
  return { id, statusIndex };
};

const mark = (mandateId: string, bits: { revoked?: true; suspended?: boolean }) =>
  markStatus(deps.db.sql, { mandateId, version: "all", ...bits, at: deps.clock.now() });

const publishLater = async (): Promise<number> => {
  deps.clock.advance(1);
  return publishStatusLists(deps);
};

const statusOf = async (index: number) => {
  const bit = async (id: string) => {
    const { payload } = await read(id);
    const subject = payload["credentialSubject"] as { encodedList: string };
    return (await decodeList(subject)).getStatus(index);
  };
  return {
    revocation: await bit("revocation-1"),
    suspension: await bit("suspension-1"),
    token: getListFromStatusListJWT(await bodyOf("token-1")).getStatus(index),
  };
};

describe("published lists", () => {
  it("include a signed list of each kind right after the first start", async () => {
    const lists = await deps.db.prisma.statusList.findMany({ orderBy: { id: "asc" } });
    expect(lists.map((list) => [list.id, list.body !== null])).toEqual([
      ["revocation-1", true],
      ["suspension-1", true],
      ["token-1", true],
    ]);
    await ensureStatusLists(deps);
    expect(await deps.db.prisma.statusList.count()).toBe(3);
  });

  it.each(["revocation", "suspension"])(
    "include a BitstringStatusListCredential for %s, with ttl in milliseconds (W3C §2.2)",
    async (purpose) => {
      const { header, payload } = await read(`${purpose}-1`);
      const uri = `${deps.config.baseUrl}/oauth/status-list/${purpose}-1`;
      expect(header).toEqual({ alg: "ES256", kid: deps.keys.signingKey("credential").kid, typ: "vc+jwt", cty: "vc" });
      expect(payload).toEqual({
        "@context": ["https://www.w3.org/ns/credentials/v2"],
        id: uri,
        type: ["VerifiableCredential", "BitstringStatusListCredential"],
        issuer: deps.config.baseUrl,
        validFrom: "2026-11-21T10:00:00Z",
        validUntil: "2026-11-21T22:00:00Z",
        credentialSubject: {
          id: `${uri}#list`,
          type: "BitstringStatusList",
          statusPurpose: purpose,
          encodedList: expect.stringMatching(/^u[A-Za-z0-9_-]+$/),
          ttl: 30_000,
        },
      });
    },
  );

  it("include a status list token whose sub is its own URL, with ttl in seconds (IETF §5.1)", async () => {
    const { header, payload } = await read("token-1");
    expect(header).toEqual({ alg: "ES256", kid: deps.keys.signingKey("credential").kid, typ: "statuslist+jwt" });
    const iat = Math.floor(deps.clock.now().getTime() / 1000);
    expect(payload).toEqual({
      iss: deps.config.baseUrl,
      sub: `${deps.config.baseUrl}/oauth/status-list/token-1`,
      iat,
      exp: iat + 12 * 3600,
      ttl: 30,
      status_list: { bits: 2, lst: expect.stringMatching(/^[A-Za-z0-9_-]+$/) },
    });
  });
});

describe("bits", () => {
  it("show suspension, resumption and revocation in all three lists, and change no other index", async () => {
    const mandate = await makeMandateWithIndex();
    const other = await makeMandateWithIndex();
    await mark(mandate.id, { suspended: true });
    await publishLater();
    expect(await statusOf(mandate.statusIndex)).toEqual({ revocation: false, suspension: true, token: 2 });
    await mark(mandate.id, { suspended: false });
    await publishLater();
    expect(await statusOf(mandate.statusIndex)).toEqual({ revocation: false, suspension: false, token: 0 });
    await mark(mandate.id, { suspended: true });
    await mark(mandate.id, { revoked: true });
    await publishLater();
    expect(await statusOf(mandate.statusIndex)).toEqual({ revocation: true, suspension: true, token: 1 });
    expect(await statusOf(other.statusIndex)).toEqual({ revocation: false, suspension: false, token: 0 });
  });

  it("can be read by a third-party W3C library from the credential's own entries", async () => {
    const mandate = await makeMandateWithIndex();
    await mark(mandate.id, { revoked: true });
    await publishLater();
    const entry = (purpose: string) => ({
      id: `${deps.config.baseUrl}/oauth/status-list/${purpose}-1#${mandate.statusIndex}`,
      type: "BitstringStatusListEntry",
      statusPurpose: purpose,
      statusListIndex: String(mandate.statusIndex),
      statusListCredential: `${deps.config.baseUrl}/oauth/status-list/${purpose}-1`,
    });
    const checked = await checkStatus({
      credential: {
        "@context": ["https://www.w3.org/ns/credentials/v2"],
        type: ["VerifiableCredential"],
        issuer: deps.config.baseUrl,
        credentialStatus: [entry("revocation"), entry("suspension")],
      },
      // `read` checks the signature with jose, because this library can check only Data Integrity proofs.
      verifyBitstringStatusListCredential: false,
      documentLoader: async (url) => ({ document: (await read(url.split("/").at(-1) ?? "")).payload }),
    });
    expect(checked.error).toBeUndefined();
    expect(checked.results?.map((result) => result.status)).toEqual([true, false]);
  });
});

describe("builds", () => {
  it("happen only after a change: without a change nothing is signed", async () => {
    const before = await bodyOf("token-1");
    expect(await publishLater()).toBe(0);
    expect(await bodyOf("token-1")).toBe(before);
  });

  it("happen at most once per list and second, and include a late change in the next build", async () => {
    const mandate = await makeMandateWithIndex();
    await mark(mandate.id, { suspended: true });
    expect(await publishLater()).toBe(1);
    await mark(mandate.id, { revoked: true });
    expect(await publishStatusLists(deps)).toBe(0);
    expect(await publishLater()).toBe(1);
    expect((await statusOf(mandate.statusIndex)).token).toBe(1);
  });

  it("are made only once, even by four concurrent publishers", async () => {
    const mandate = await makeMandateWithIndex();
    await mark(mandate.id, { revoked: true });
    deps.clock.advance(1);
    const built = await Promise.all([1, 2, 3, 4].map(() => publishStatusLists(deps)));
    expect(built.reduce((sum, count) => sum + count)).toBe(1);
  });

  it("include every revocation that commits while they run", async () => {
    const mandates = await Promise.all(Array.from({ length: 40 }, makeMandateWithIndex));
    let isMarking = true;
    const publishing = (async () => {
      while (isMarking) await publishLater();
    })();
    await Promise.all(mandates.map(({ id }) => mark(id, { revoked: true })));
    isMarking = false;
    await publishing;
    await publishLater();
    const list = getListFromStatusListJWT(await bodyOf("token-1"));
    expect(mandates.map(({ statusIndex }) => list.getStatus(statusIndex))).toEqual(Array(40).fill(1));
    expect(await deps.db.prisma.statusChange.count()).toBe(0);
  });

  it("sign a list again after half of its validity, and when another key becomes active", async () => {
    deps.clock.advance(6 * 3600 + 1);
    expect(await publishStatusLists(deps)).toBe(1);
    expect((await read("revocation-1")).payload["validUntil"]).toBe("2026-11-22T04:00:01Z");
    await deps.db.prisma.statusList.updateMany({ data: { kid: "another" } });
    expect(await publishLater()).toBe(1);
    expect((await read("token-1")).header.kid).toBe(deps.keys.signingKey("credential").kid);
  });
});
