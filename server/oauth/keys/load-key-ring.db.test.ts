import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { loadKeyRing } from "./load-key-ring.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

test("processes that start at once make one key per purpose", async () => {
  const rings = await Promise.all([1, 2, 3, 4].map(() => loadKeyRing(deps)));
  const kids = new Set(rings.map((ring) => ring.signingKey("access_token").kid));
  expect(kids.size).toBe(1);
  expect(rings[0]?.jwks().keys).toHaveLength(4);
  for (const ring of rings) ring.stop();
});

test("private keys are sealed at rest and never in the JWKS (1-oauth, Keys)", async () => {
  const rows = await deps.db.prisma.signingKey.findMany();
  for (const row of rows) expect(row.privateSealed).toMatch(/^v1\./);
  for (const key of deps.keys.jwks().keys) expect(key.d).toBeUndefined();
});

test("a key of one purpose verifies nothing of another", () => {
  const { kid } = deps.keys.signingKey("access_token");
  expect(deps.keys.findVerificationKey(kid, "access_token")).not.toBeNull();
  expect(deps.keys.findVerificationKey(kid, "receipt")).toBeNull();
});
