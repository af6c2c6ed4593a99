import { expect, test } from "vitest";
import { databaseTimeouts, parseStatementTimeouts } from "./timeouts.ts";

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

test("a process uses the limits of its role", () => {
  const statementTimeouts = parseStatementTimeouts("");
  const config = { statementTimeouts, sendsSessionSettings: false };
  expect(databaseTimeouts(config, "web")).toEqual({ connection: 5_000, statement: 10_000, sendsSettings: false });
});
