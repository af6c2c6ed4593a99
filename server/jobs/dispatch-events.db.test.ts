import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { appendEvent } from "../data/events.ts";
import { dispatchEvents } from "./dispatch-events.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

it("hands each event over once, to two dispatchers at the same time", async () => {
  for (let index = 0; index < 30; index++) {
    const objectId = `mdt_${index % 3}`;
    await appendEvent(deps.db.sql, { type: "mandate.updated", objectId, data: {}, at: deps.clock.now() });
  }
  const [first, second] = await Promise.all([dispatchEvents(deps), dispatchEvents(deps)]);
  expect(first + second).toBe(30);
  expect(await dispatchEvents(deps)).toBe(0);
  expect(await deps.db.prisma.event.count({ where: { dispatchedAt: deps.clock.now() } })).toBe(30);
});
