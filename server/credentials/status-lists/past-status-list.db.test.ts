import { checkStatus, decodeList } from "@digitalbazaar/vc-bitstring-status-list";
import { getListFromStatusListJWT } from "@sd-jwt/jwt-status-list";
import { compactVerify, createLocalJWKSet } from "jose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { openLists } from "../../data/credentials/status-lists.ts";
import { newestStatusListEndpoint, statusListEndpoint } from "../../endpoints/credentials/status-list.ts";
import { provideDeps } from "../../http/runtime.ts";
import { mount } from "../../http/serve.ts";
import { deleteExpiredRows } from "../../jobs/upkeep/delete-expired-rows.ts";
import { allocateStatus } from "../../mandates/status-indexes/allocate-status.ts";
import { markStatus } from "../../mandates/status-indexes/mark-status.ts";
import { makeMandateRow } from "../mandate-row.fixture.ts";
import { ensureStatusLists, publishStatusLists } from "./publish-status-lists.ts";

let deps: TestDeps;
beforeEach(async () => {
  deps = await createTestDeps({ now: new Date("2026-06-01T10:00:00.000Z") });
  provideDeps(deps);
  await ensureStatusLists(deps);
});
afterEach(() => deps.close());

const one = mount(statusListEndpoint);
const newest = mount(newestStatusListEndpoint);
const get = (path: string, headers: Record<string, string> = {}) => {
  const { GET } = path.startsWith("/oauth/status-list/") ? one : newest;
  return GET(new Request(`${deps.config.baseUrl}${path}`, { headers }));
};
const at = (seconds: number) => new Date(Date.parse("2026-06-01T10:00:00.000Z") + seconds * 1000);
const stamp = (date: Date) => encodeURIComponent(date.toISOString());

const readAt = async (id: string, instant: Date): Promise<Record<string, unknown>> => {
  const response = await get(`/oauth/status-list/${id}?timestamp=${stamp(instant)}`);
  expect(response.status).toBe(200);
  const { payload } = await compactVerify(await response.text(), createLocalJWKSet(deps.keys.jwks()));
  return JSON.parse(new TextDecoder().decode(payload));
};

const statusAt = async (index: number, instant: Date): Promise<[boolean, boolean, number]> => {
  const bit = async (id: string) => {
    const { credentialSubject } = (await readAt(id, instant)) as { credentialSubject: { encodedList: string } };
    return (await decodeList(credentialSubject)).getStatus(index);
  };
  const token = await (await get(`/oauth/status-list/token-1?timestamp=${stamp(instant)}`)).text();
  return [await bit("revocation-1"), await bit("suspension-1"), getListFromStatusListJWT(token).getStatus(index)];
};

/** A mandate that is suspended after 10 s, resumed after 20 s, suspended after 30 s and revoked after 40 s. */
const makeHistory = async () => {
  const { id } = await makeMandateRow(deps);
  await allocateStatus(deps, deps.db.sql, { mandateId: id, version: 1, details: {}, at: deps.clock.now() });
  for (const change of [{ suspended: true }, { suspended: false }, { suspended: true }, { revoked: true as const }]) {
    deps.clock.advance(10);
    await markStatus(deps.db.sql, { mandateId: id, version: "all", ...change, at: deps.clock.now() });
  }
  const { statusIndex } = await deps.db.prisma.mandateVersion.findFirstOrThrow({ where: { mandateId: id } });
  deps.clock.advance(10);
  await publishStatusLists(deps);
  return statusIndex;
};

describe("?timestamp= returns an earlier state (W3C Bitstring Status List v1.0 §3.2; docs/spec/payments.md, Status lists)", () => {
  it("returns each bit as of the instant, in all three lists", async () => {
    const index = await makeHistory();
    const answers = await Promise.all(
      [0, 10, 15, 20, 30, 39.999, 40, 50].map((seconds) => statusAt(index, at(seconds))),
    );
    expect(answers).toEqual([
      [false, false, 0],
      [false, true, 2],
      [false, true, 2],
      [false, false, 0],
      [false, true, 2],
      [false, true, 2],
      [true, true, 1],
      [true, true, 1],
    ]);
  });

  it("is valid from the instant for one ttl, so that it isn't mistaken for the current list", async () => {
    await makeHistory();
    expect(await readAt("revocation-1", at(15))).toMatchObject({
      id: `${deps.config.baseUrl}/oauth/status-list/revocation-1`,
      validFrom: "2026-06-01T10:00:15Z",
      validUntil: "2026-06-01T10:00:45Z",
    });
    const from = Math.floor(at(15).getTime() / 1000);
    expect(await readAt("token-1", at(15))).toMatchObject({ iat: from, exp: from + 30 });
  });

  it("is read by a third-party library as the credential's status at that time", async () => {
    const index = await makeHistory();
    const listAt = (seconds: number) =>
      checkStatus({
        credential: {
          "@context": ["https://www.w3.org/ns/credentials/v2"],
          type: ["VerifiableCredential"],
          issuer: deps.config.baseUrl,
          credentialSubject: {},
          credentialStatus: {
            type: "BitstringStatusListEntry",
            statusPurpose: "revocation",
            statusListIndex: String(index),
            statusListCredential: `${deps.config.baseUrl}/oauth/status-list/revocation-1`,
          },
        },
        documentLoader: async () => ({ document: await readAt("revocation-1", at(seconds)) }),
        verifyBitstringStatusListCredential: false,
      });
    expect((await listAt(39)).results?.[0]?.status ?? false).toBe(false);
    expect((await listAt(40)).results?.[0]?.status).toBe(true);
  });

  it("returns the same bytes for the same instant, and 304 for a matching etag", async () => {
    await makeHistory();
    const path = `/oauth/status-list/revocation-1?timestamp=${stamp(at(15))}`;
    const [first, again] = await Promise.all([get(path), get(path)]);
    expect(await first.text()).toBe(await again.text());
    const etag = first.headers.get("etag") ?? "";
    expect((await get(path, { "if-none-match": etag })).status).toBe(304);
    const present = await get("/oauth/status-list/revocation-1");
    expect(present.headers.get("etag")).not.toBe(etag);
  });

  it("accepts at most 66 concurrent requests for past lists, and keeps serving the current list", async () => {
    deps.clock.advance(1);
    const requests = Array.from({ length: 100 }, (_, n) =>
      get(`/oauth/status-list/revocation-1?timestamp=${stamp(at(n / 1000))}`),
    );
    expect((await get("/oauth/status-list/revocation-1")).status).toBe(200);
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect([200, 503].map((status) => statuses.filter((each) => each === status).length)).toEqual([66, 34]);
    expect((await get(`/oauth/status-list/revocation-1?timestamp=${stamp(at(0.099))}`)).status).toBe(200);
  });

  it("if the request names no list, returns the list that was the newest one at that instant", async () => {
    deps.clock.advance(60);
    await openLists(deps.db.sql, 2, deps.clock.now());
    await publishStatusLists(deps);
    const idOf = async (seconds: number, accept: string) => {
      const response = await get(`/oauth/status-list?timestamp=${stamp(at(seconds))}`, { accept });
      const payload = JSON.parse(Buffer.from((await response.text()).split(".")[1] ?? "", "base64url").toString());
      return String(payload.id ?? payload.sub)
        .split("/")
        .at(-1);
    };
    expect(await idOf(59, "application/vc+jwt")).toBe("revocation-1");
    expect(await idOf(60, "application/vc+jwt")).toBe("revocation-2");
    expect(await idOf(59, "application/statuslist+jwt")).toBe("token-1");
    expect((await get(`/oauth/status-list/revocation-2?timestamp=${stamp(at(59))}`)).status).toBe(404);
    expect((await get(`/oauth/status-list?timestamp=${stamp(at(-1))}`)).status).toBe(404);
  });

  it("refuses an instant that is in the future, too old or invalid, and names the parameter in the error", async () => {
    for (const timestamp of [stamp(at(1)), stamp(at(-91 * 86_400)), "yesterday", "2026-06-01T10:00:00"]) {
      const response = await get(`/oauth/status-list/revocation-1?timestamp=${timestamp}`);
      expect([timestamp, response.status]).toEqual([timestamp, 400]);
      expect(await response.text()).toContain("timestamp");
    }
    const index = await get(`/oauth/status-list?timestamp=${stamp(at(0))}`, { accept: "application/json" });
    expect(index.status).toBe(400);
  });

  it("for a token list, ?time= (in seconds) returns the same bytes as ?timestamp=, or 404 if no list exists for the instant (IETF Token Status List)", async () => {
    const seconds = (date: Date) => String(date.getTime() / 1000);
    const now = deps.clock.now();
    deps.clock.advance(30);
    const [named, newestThen] = await Promise.all([
      get(`/oauth/status-list/token-1?time=${seconds(now)}`),
      get(`/oauth/status-list?time=${seconds(now)}`, { accept: "application/statuslist+jwt" }),
    ]);
    const bytes = await named.text();
    expect(JSON.parse(Buffer.from(bytes.split(".")[1] ?? "", "base64url").toString()).iat).toBe(Number(seconds(now)));
    expect(bytes).toBe(await (await get(`/oauth/status-list/token-1?timestamp=${stamp(now)}`)).text());
    expect(newestThen.status).toBe(200);
    for (const [time, status] of [
      [seconds(new Date(now.getTime() + 31_000)), 404],
      ["0", 404],
      ["yesterday", 400],
      ["-1", 400],
      [`${seconds(now)}&timestamp=${stamp(now)}`, 400],
    ] as const) {
      expect([time, (await get(`/oauth/status-list/token-1?time=${time}`)).status]).toEqual([time, status]);
    }
    // The bitstring specification doesn't define this parameter, so it is ignored.
    expect((await get("/oauth/status-list/revocation-1?time=yesterday")).status).toBe(200);
  });

  it("keeps the history for 90 days", async () => {
    const index = await makeHistory();
    const suspensions = () => deps.db.prisma.statusSuspension.count();
    deps.clock.set(at(90 * 86_400));
    await deleteExpiredRows(deps);
    expect(await statusAt(index, at(15))).toEqual([false, true, 2]);
    expect(await suspensions()).toBe(2);
    deps.clock.set(at(92 * 86_400));
    await deleteExpiredRows(deps);
    expect(await suspensions()).toBe(1);
  });
});
