import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { appendEvent, type EventType } from "../data/webhooks/events.ts";
import { dispatchEvents } from "../jobs/messages/dispatch-events.ts";
import { masterKeyFingerprint } from "../kernel/crypto/seal.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ config: { environment: "production" } });
  const { baseUrl: issuer, masterKey } = deps.config;
  await deps.db.prisma.environment.upsert({
    where: { id: 1 },
    create: { id: 1, kind: "production", issuer, fingerprint: masterKeyFingerprint(masterKey) },
    update: { kind: "production", issuer, fingerprint: masterKeyFingerprint(masterKey) },
  });
});
afterAll(() => deps.close());

/** Runs `npm run webhooks -- …` like an operator. @throws Error with its output. */
const command = async (...args: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, ["server/cli/webhooks.ts", ...args], {
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      NODE_ENV: "production",
      DATABASE_URL: deps.config.databaseUrl,
      MASTER_KEY: Buffer.from(deps.config.masterKey).toString("base64url"),
    },
  });
  return stdout.trim();
};

test("an operator adds a merchant's endpoint, rotates its secret, disables and enables it, sees missed deliveries, and deletes it", async () => {
  const { id: owner } = await makeMerchant(deps);
  const url = "https://shop.example/hooks";
  const [endpoint = "", secret, publicKey] = (await command("add", "--owner", owner, "--url", url)).split("\n");
  expect([endpoint, secret, publicKey]).toEqual([
    expect.stringMatching(/^whe_/),
    expect.stringMatching(/^whsec_/),
    expect.stringMatching(/^whpk_/),
  ]);
  const named = ["--owner", owner, "--endpoint", endpoint];
  expect((await command("rotate", ...named)).split("\n")[1]).not.toBe(secret);
  await command("off", ...named);
  expect(await command("list", "--owner", owner)).toBe(`${endpoint}  ${url}  off (owner)`);
  const event = { type: "invoice.paid" as EventType, objectId: "inv_1", data: { merchant_id: owner } };
  await appendEvent(deps.db.sql, { ...event, at: deps.clock.now() });
  await dispatchEvents(deps);
  const missed = await command("deliveries", ...named);
  expect(missed).toMatch(/^whd_\w+ {2}\S+ {2}invoice\.paid {2}inv_1\/1 {2}stopped$/);
  await command("on", ...named);
  expect(await command("replay", "--owner", owner, "--delivery", missed.split(" ")[0] ?? "")).toMatch(/^whd_/);
  await command("delete", ...named);
  expect(await command("list", "--owner", owner)).toBe("");
});

test.each([
  [["add", "--owner", "mch_none", "--url", "https://shop.example/"], "Merchant not found. Check the ID."],
  [
    ["add", "--owner", "mch_none", "--url", "http://shop.example/"],
    "The URL must use https on port 443. Enter a URL like https://shop.example/webhooks.",
  ],
  [["off", "--owner", "mch_none", "--endpoint", "whe_none"], "Webhook endpoint not found. Check the ID."],
  [["shout", "--owner", "mch_none"], "npm run webhooks -- list"],
])(
  "reports the problem or the usage, and exits with 1: %j",
  async (args, problem) => {
    await expect(command(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(problem) });
  },
  30_000,
);
