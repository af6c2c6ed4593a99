import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant, makeMerchantClient } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { addSeconds, type BusinessTime } from "../../kernel/time/clock.ts";
import { consumeAndFindLiveness, denyToken, type TokenKey } from "./liveness.ts";

let deps: TestDeps;
let clientId: string;
beforeAll(async () => {
  deps = await createTestDeps();
  clientId = (await makeMerchantClient(deps, (await makeMerchant(deps)).id)).id;
});
afterAll(() => deps.close());

const tokenOf = (change: Partial<TokenKey> = {}): TokenKey => ({
  clientId,
  grantId: null,
  jti: randomUUID(),
  mandateIds: [],
  at: deps.clock.now() as BusinessTime,
  kid: deps.keys.signingKey("access_token").kid,
  jkt: null,
  ...change,
});

const ask = (token: TokenKey, jti: string = randomUUID()) =>
  consumeAndFindLiveness(deps.db.sql, {
    clientId,
    jti,
    expiresAt: addSeconds(deps.clock.now(), 60),
    version: 1,
    metered: null,
    token,
  });

describe("requests that share a statement", () => {
  test("each get the state of their own token, even if several have the same token", async () => {
    const [live, denied, ofUnknownClient] = [tokenOf(), tokenOf(), tokenOf({ clientId: "cl_test_unknown" })];
    await denyToken(deps.db.sql, { jti: denied.jti, expiresAt: addSeconds(deps.clock.now(), 60) });
    const tokens = Array.from(
      { length: 12 },
      (_, index) => [live, denied, ofUnknownClient, tokenOf()][index % 4] ?? live,
    );
    const answers = await Promise.all(tokens.map((token) => ask(token)));
    for (const [index, { isFresh, client, liveness }] of answers.entries()) {
      expect({ isFresh, version: client?.version }).toEqual({ isFresh: true, version: 1 });
      const isDenied = tokens[index] === denied;
      const expected = { clientEpoch: 1, isDenied, isKeyActive: true, activeMandates: 0, grantEpoch: null };
      if (tokens[index] === ofUnknownClient) expect(liveness).toBeNull();
      else expect(liveness).toMatchObject(expected);
    }
  });

  test("find a live token even if another request in the same statement has a used assertion", async () => {
    const [token, jti] = [tokenOf(), randomUUID()];
    const answers = await Promise.all([ask(token, jti), ask(token, jti), ask(token), ask(token, jti)]);
    expect(answers.filter(({ isFresh }) => isFresh)).toHaveLength(2);
    for (const { liveness } of answers) expect(liveness).toMatchObject({ isDenied: false, clientEpoch: 1 });
  });
});
