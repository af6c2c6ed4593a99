import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { statement } from "../client.ts";
import { consumeAssertion, consumeProof } from "./replay.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const assertionsWritten = statement<{ at: Date }>(
  "test_assertions_written",
  "SELECT exp AS at FROM assertion_jti WHERE jti = $1 ORDER BY tableoid, ctid",
);
const proofsWritten = statement<{ at: Date }>(
  "test_proofs_written",
  "SELECT iat AS at FROM dpop_jti WHERE jti = $1 ORDER BY tableoid, ctid",
);

/** Each of the first few rows has its own statement; one more statement writes all other rows. */
describe("rows of one jti are written in a fixed order, so two nodes never deadlock", () => {
  const instants = () => {
    const now = Math.floor(deps.clock.now().getTime() / 60_000) * 60_000;
    return Array.from({ length: 20 }, (_, index) => new Date(now + index * 1000));
  };

  test.each([
    [
      "assertions with different exp",
      assertionsWritten,
      (jti: string, at: Date) => consumeAssertion(deps.db.sql, { clientId: "cl_test_unknown", jti, expiresAt: at }),
    ],
    [
      "proofs with different iat",
      proofsWritten,
      (jti: string, at: Date) =>
        consumeProof(deps.db.sql, { jkt: "key", jti, htu: "https://as.example/", issuedAt: at }),
    ],
  ] as const)("%s", async (_, written, consume) => {
    const orders = [instants(), instants().toReversed()].map(async (order) => {
      const jti = randomUUID();
      await Promise.all(order.map((at) => consume(jti, at)));
      return (await deps.db.sql.query(written, [jti])).map(({ at }) => at);
    });
    expect(await Promise.all(orders)).toEqual([instants(), instants()]);
  });
});
