import { expect, test } from "vitest";
import { isUnavailable } from "./unavailable.ts";

const failing = (code: string) => Object.assign(new Error("what PostgreSQL said"), { code });

test.each(["08006", "57P01", "57P03", "53300", "53100", "25006", "ECONNREFUSED", "P1017", "NO_TURN"])(
  "%s: the database could not do it now",
  (code) => {
    expect(isUnavailable(failing(code))).toBe(true);
  },
);

test.each(["23505", "40P01", "25P02", "57014", "42P01", "P2025"])("%s: it was what the statement said", (code) => {
  expect(isUnavailable(failing(code))).toBe(false);
});
