import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { applyMigrations, diffToSchema } from "./schema-engine.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

test("a migrated database is what prisma/schema says", async () => {
  expect(await diffToSchema(deps.config.databaseUrl)).toMatch(/^-- This is an empty migration\.\s*$/);
});

test("the models of partitioned tables read them, every column included", async () => {
  const { prisma } = deps.db;
  const models = [prisma.pushedRequest, prisma.authorizationCode, prisma.refreshToken, prisma.tokenDenial];
  for (const model of [...models, prisma.event, prisma.charge, prisma.mail]) {
    expect(await (model as { findFirst(): Promise<unknown> }).findFirst()).toBeNull();
  }
});

test("migrations that are applied are not applied again", async () => {
  expect(await applyMigrations(deps.config.databaseUrl)).toEqual([]);
});
