import { expect, test } from "vitest";
import { databaseTimeouts, directTimeouts, parseStatementTimeouts } from "./timeouts.ts";

test("each role has its own limit, and a setting for a role doesn't change the limits of other roles", () => {
  expect(parseStatementTimeouts("")).toEqual({ web: 10_000, worker: 30_000, status: 8_000, command: 900_000 });
  expect(parseStatementTimeouts("web=5, command=3600")).toEqual({
    web: 5_000,
    worker: 30_000,
    status: 8_000,
    command: 3_600_000,
  });
});

test.each(["web", "web=0", "web=1.5", "jobs=10", "web=10 worker=20", "web=100000"])(
  "refuses %j, and names it in the error",
  (text) => {
    expect(() => parseStatementTimeouts(text)).toThrow(JSON.stringify(text));
  },
);

const pooled = { statementTimeouts: parseStatementTimeouts(""), sendsSessionSettings: false, namesStatements: false };

test("a process uses the limits of its role", () => {
  const restricted = { sendsSettings: false, namesStatements: false };
  expect(databaseTimeouts(pooled, "web")).toEqual({ connection: 5_000, statement: 10_000, ...restricted });
});

test("a direct connection has the pooler's restrictions only if both URLs are the same", () => {
  const restrictionsAt = (databaseDirectUrl: string) => {
    const addresses = { databaseUrl: "postgresql://pooler/paygrant", databaseDirectUrl };
    const { sendsSettings, namesStatements } = directTimeouts({ ...pooled, ...addresses }, "command");
    return [sendsSettings, namesStatements];
  };
  expect(restrictionsAt("postgresql://database/paygrant")).toEqual([true, true]);
  expect(restrictionsAt("postgresql://pooler/paygrant")).toEqual([false, false]);
});
