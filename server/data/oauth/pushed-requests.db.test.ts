import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { newSecret } from "../../kernel/ids.ts";
import { newSecretUntil } from "../../kernel/time/dated.ts";
import { findPushedRequest } from "./pushed-requests.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

test.each([
  ["unknown", () => "unknown"],
  ["made without an instant", newSecret],
  ["made for another day", () => newSecretUntil(new Date(0))],
])("a handle that is %s names no request", async (_, handle) => {
  expect(await findPushedRequest(deps.db.sql, handle())).toBeNull();
});
