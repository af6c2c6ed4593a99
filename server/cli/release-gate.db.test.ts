import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { seedStatus } from "../../prisma/seed/status.ts";
import { loadBoard } from "../status/board/load-board.ts";
import type { Board, ComponentChange } from "../status/rules/board.ts";
import { toErrorBudgets } from "../trpc/status/status-views.ts";

let deps: TestDeps;
let server: Server;
let answer: { status: number; body: unknown };
beforeAll(async () => {
  deps = await createTestDeps({ now: new Date("2026-11-21T14:07:31Z") });
  await seedStatus(deps, "acc_operator");
  server = createServer((_, outgoing) => outgoing.writeHead(answer.status).end(JSON.stringify(answer.body)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  server.close();
  await deps.close();
});

const gate = (...args: string[]) => {
  const env = {
    PATH: process.env["PATH"],
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    NODE_ENV: "production" as const,
    DATABASE_URL: deps.config.databaseUrl,
    BASE_URL: deps.config.baseUrl,
    MASTER_KEY: Buffer.from(deps.config.masterKey).toString("base64url"),
  };
  const file = path.join(import.meta.dirname, "release-gate.ts");
  return promisify(execFile)(process.execPath, [file, ...args], { env }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, text: stdout + stderr }),
  );
};

const statusUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const budgetsOf = (board: Board) => toErrorBudgets({ board, now: deps.clock.now(), statusUrl: deps.config.statusUrl });

test("release:gate exits with 0 and prints the budget of every production component from the database", async () => {
  // The command reads the system clock, which may be in a later month.
  await deps.db.prisma.componentHeartbeat.updateMany({ data: { at: new Date() } });
  const { code, text } = await gate();
  expect(code, text).toBe(0);
  for (const name of ["Authorization server", "Wallet portal", "Billing engine", "Discovery directory"])
    expect(text).toMatch(new RegExp(`^✓ ${name}: [\\d.]+ of [\\d.]+ minutes left`, "m"));
  expect(text).not.toContain("Sandbox");
});

test("release:gate --url exits with 1 and prints the reason if the status page reports a used-up error budget", async () => {
  const board = await loadBoard(deps);
  answer = { status: 200, body: budgetsOf(board) };
  expect(await gate("--url", statusUrl())).toMatchObject({ code: 0 });
  const out = { component: "billing_engine", source: "operator", subject: "inc_x", reason: "", actor: "" } as const;
  const changes: ComponentChange[] = [
    ...board.changes,
    { ...out, id: "x", state: "major_outage", at: new Date("2026-11-20T00:00:00Z") },
  ];
  answer = { status: 200, body: budgetsOf({ ...board, changes }) };
  const { code, text } = await gate("--url", `${statusUrl()}/`);
  expect(code).toBe(1);
  expect(text).toContain("✗ Billing engine: 0.0 of 216.0 minutes left");
  expect(text).toContain("reliability first: the error budget of Billing engine is used up");
});

test.each([
  [{ status: 500, body: {} }, "answered 500"],
  [{ status: 200, body: { components: [] } }, "returned no error budgets"],
])("release:gate exits with 1 when no budget can be determined: %o", async (given, problem) => {
  answer = given;
  expect(await gate("--url", statusUrl())).toEqual({ code: 1, text: expect.stringContaining(problem) });
});
