import { TRPCError } from "@trpc/server";
import { expect, test } from "vitest";
import { DomainError } from "../kernel/errors.ts";
import { databaseUnavailableError, findUnavailableError } from "./database-unavailable.ts";

const lost = Object.assign(new Error("terminating connection due to administrator command"), { code: "57P01" });
const busy = new DomainError("unavailable", { code: "busy", message: "Try again later." });
const missing = new DomainError("not_found", { code: "not_found", message: "Not found.", cause: lost });

test.each([
  ["a lost database connection", lost, "temporarily_unavailable"],
  ["a domain error of kind unavailable", busy, "busy"],
  [
    "a tRPC error caused by an unavailable database",
    new TRPCError({ code: "SERVICE_UNAVAILABLE", cause: databaseUnavailableError(lost) }),
    "temporarily_unavailable",
  ],
  ["a domain error of another kind, whatever its cause", missing, null],
  ["a failed request to another server", new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } }), null],
  ["a fault", new TypeError("x is undefined"), null],
  ["a value that is no error", "57P01", null],
])("findUnavailableError for %s", (_name, error, code) => {
  expect(findUnavailableError(error)?.code ?? null).toBe(code);
});
