import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { ensureStatusLists, publishStatusLists } from "../../credentials/status-lists/publish-status-lists.ts";
import { openLists } from "../../data/credentials/status-lists.ts";
import { provideDeps } from "../../http/runtime.ts";
import { mount } from "../../http/serve.ts";
import { newestStatusListEndpoint, statusListEndpoint } from "./status-list.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
  await ensureStatusLists(deps);
  provideDeps(deps);
});
afterAll(() => deps.close());

const newest = mount(newestStatusListEndpoint);
const one = mount(statusListEndpoint);
const get = (path: string, headers: Record<string, string> = {}) => {
  const handler = path.startsWith("/oauth/status-list/") ? one.GET : newest.GET;
  return handler(new Request(`${deps.config.baseUrl}${path}`, { headers }));
};
const typOf = async (response: Response) => decodeProtectedHeader(await response.text()).typ;

describe("GET /oauth/status-list", () => {
  it.each([
    ["*/*", "application/vc+jwt", "vc+jwt"],
    ["application/vc+jwt", "application/vc+jwt", "vc+jwt"],
    ["application/statuslist+jwt", "application/statuslist+jwt", "statuslist+jwt"],
  ])("answers Accept %s with %s", async (accept, contentType, typ) => {
    const response = await get("/oauth/status-list", { accept });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(contentType);
    expect(await typOf(response)).toBe(typ);
  });

  it("returns the URLs of all lists as application/json", async () => {
    const response = await get("/oauth/status-list", { accept: "application/json" });
    expect(await response.json()).toEqual({
      status_lists: ["revocation-1", "suspension-1", "token-1"].map(
        (id) => `${deps.config.baseUrl}/oauth/status-list/${id}`,
      ),
    });
    expect(response.headers.get("etag")).toMatch(/^"[\w-]+"$/);
  });

  it("is readable by any origin and cacheable for the ttl, separately for each Accept (CORS, max-age = ttl, Vary)", async () => {
    const { headers } = await get("/oauth/status-list");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-expose-headers")).toBe("ETag");
    expect(headers.get("cache-control")).toBe("public, max-age=30");
    expect(headers.get("vary")).toBe("Accept");
  });

  it("answers 406 for an unsupported type", async () => {
    const response = await get("/oauth/status-list", { accept: "text/html" });
    expect(response.status).toBe(406);
    expect(response.headers.get("vary")).toBe("Accept");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });
});

describe("GET /oauth/status-list/{list_id}", () => {
  it.each([
    ["revocation-1", undefined, 200],
    ["suspension-1", "application/vc+jwt", 200],
    ["token-1", "application/statuslist+jwt", 200],
    ["token-1", "*/*", 200],
    ["token-1", "application/vc+jwt", 406],
    ["revocation-1", "application/statuslist+jwt", 406],
    ["revocation-1", "application/json", 406],
    ["revocation-2", undefined, 404],
    ["__proto__", undefined, 404],
  ])("GET %s with Accept %s returns status %i", async (id, accept, status) => {
    const response = await get(`/oauth/status-list/${id}`, accept ? { accept } : {});
    expect(response.status).toBe(status);
  });

  it("answers 304 to a reader with the current bytes, and 200 after the next build (RFC 9110 §13.1.2)", async () => {
    const first = await get("/oauth/status-list/token-1");
    const etag = first.headers.get("etag") ?? "";
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await get("/oauth/status-list/token-1", { "if-none-match": tag });
      expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
      expect(again.headers.get("cache-control")).toBe("public, max-age=30");
    }
    await deps.db.prisma.statusList.update({
      where: { id: "token-1" },
      data: { body: "next.list.jwt", etag: '"next"' },
    });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const next = await get("/oauth/status-list/token-1", { "if-none-match": etag });
    expect([next.status, await next.text()]).toEqual([200, "next.list.jwt"]);
  });

  it("answers 503 instead of an expired list", async () => {
    deps.clock.advance(12 * 3600);
    const response = await get("/oauth/status-list/revocation-1");
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
  });
});

it("returns the newest revocation list, or the newest list of the requested type, if the path has no list_id", async () => {
  await openLists(deps.db.sql, 2, deps.clock.now());
  await publishStatusLists(deps);
  const read = async (accept: string): Promise<string> => {
    const response = await get("/oauth/status-list", { accept });
    if (response.status !== 200) return String(response.status);
    const { id, sub } = decodeJwt(await response.text());
    return String(id ?? sub);
  };
  // A node loads a new list within a second.
  await expect.poll(() => read("*/*")).toMatch(/revocation-2$/);
  expect(await read("application/statuslist+jwt")).toMatch(/token-2$/);
});
