import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const server = path.resolve(import.meta.dirname, "..");

/** They write the time down, and measure nothing by it that would hurt if the clock stepped. */
const writers = [
  "log.ts",
  "cli/checks/free-ports.ts",
  "processors/simulator/answer-dispute.ts",
  "processors/simulator/answer-operation.ts",
  "processors/simulator/answer-payment.ts",
  "processors/simulator/deliver-webhooks.ts",
];

test("a process measures what passes by performance.now(): the clock may step back", () => {
  const files = readdirSync(server, { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.(ts|mjs)$/.test(file) && !/\.(test|fixture)\.ts$/.test(file) && !file.startsWith("data/generated/"),
  );
  expect(files.length).toBeGreaterThan(100);
  const users = files.filter((file) => /\bDate\.now\(\)/.test(readFileSync(path.join(server, file), "utf8")));
  expect(users.filter((file) => !writers.includes(file))).toEqual([]);
});
