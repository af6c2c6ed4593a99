import { expect, test } from "vitest";
import { isUnavailable } from "./unavailable.ts";

const failing = (code: string) => Object.assign(new Error("message of PostgreSQL"), { code });

/** An error of PostgreSQL in the form in which Prisma wraps it. */
const wrapped = (originalCode: string) =>
  Object.assign(failing("P2039"), { meta: { driverAdapterError: { cause: { originalCode } } } });

test.each(["08006", "57P01", "57P03", "57014", "25P03", "53300", "53100", "25006"])(
  "SQLSTATE %s means that the database is unavailable, also through Prisma",
  (state) => {
    expect([isUnavailable(failing(state)), isUnavailable(wrapped(state))]).toEqual([true, true]);
  },
);

test.each(["ECONNREFUSED", "P1017", "NO_TURN"])("%s means that the database is unavailable", (code) => {
  expect(isUnavailable(failing(code))).toBe(true);
});

test.each(["23505", "40P01", "25P02", "42P01", "P2025"])("%s means that the statement is wrong", (code) => {
  expect([isUnavailable(failing(code)), isUnavailable(wrapped(code))]).toEqual([false, false]);
});
