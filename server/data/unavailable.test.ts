import { expect, test } from "vitest";
import { failureLevel, isUnavailable } from "./unavailable.ts";

const failing = (code: string) => Object.assign(new Error("message of PostgreSQL"), { code });

/** An error of PostgreSQL in the form in which Prisma wraps it. */
const wrapped = (originalCode: string) =>
  Object.assign(failing("P2039"), { meta: { driverAdapterError: { cause: { originalCode } } } });

const sqlStates = `08000 08001 08003 08004 08006 08007 08P01 57P01 57P02 57P03 57P04 57P05 25006 26000 42P05 57014
  25P03 25P04 53000 53100 53200 53300 58000 58030`.split(/\s+/);
const codes =
  `ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN EMFILE EADDRNOTAVAIL P1001 P1008 P1011
  P1017 P2024 P2037 NO_TURN`.split(/\s+/);

test.each(sqlStates)("SQLSTATE %s means that the database is unavailable, even if Prisma wraps the error", (state) => {
  expect([isUnavailable(failing(state)), isUnavailable(wrapped(state))]).toEqual([true, true]);
});

test.each(codes)("%s means that the database is unavailable", (code) => {
  expect(isUnavailable(failing(code))).toBe(true);
});

test.each(["23505", "40001", "40P01", "25P02", "42P01", "3D000", "P2025", "EACCES"])(
  "%s means that the statement is wrong",
  (code) => {
    expect([isUnavailable(failing(code)), isUnavailable(wrapped(code))]).toEqual([false, false]);
  },
);

test("a lost connection is logged as a warning, and any other failure as an error", () => {
  expect(["08006", "57P01", "ECONNRESET", "23505"].map((code) => failureLevel(failing(code)))).toEqual([
    "warn",
    "warn",
    "warn",
    "error",
  ]);
  expect([failureLevel(new TypeError("x is not a function")), failureLevel("no")]).toEqual(["error", "error"]);
});
