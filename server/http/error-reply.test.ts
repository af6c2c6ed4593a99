import { expect, test, vi } from "vitest";
import { databaseUnavailableError } from "../contract/database-unavailable.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import type { Deps } from "../deps/deps.ts";
import { DomainError } from "../kernel/errors.ts";
import { errorReply } from "./error-reply.ts";

test.each([
  [
    "an unreachable database is logged with its cause",
    databaseUnavailableError(new Error("timeout exceeded when trying to connect")),
    503,
    1,
  ],
  [
    "a refusal isn't logged",
    new DomainError("invalid", { code: "invalid_request", message: "amount: is missing." }),
    400,
    0,
  ],
] as const)("%s; the response contains no internal detail", (_, error, status, warnings) => {
  const warn = vi.fn();
  const endpoint = { errors: "problem", operationId: "createCharge" } as Endpoint;
  const deps = { log: { warn }, config: { baseUrl: "https://as.example" } } as unknown as Deps;
  const reply = errorReply(endpoint, deps, { info: { requestId: "req_1" } as never, error });
  expect(reply.status).toBe(status);
  expect(JSON.stringify(reply.body)).not.toContain("timeout exceeded");
  expect(warn).toHaveBeenCalledTimes(warnings);
  for (const [fields] of warn.mock.calls) {
    expect(fields).toMatchObject({
      operation: "createCharge",
      err: { message: expect.stringContaining("timeout exceeded") },
    });
  }
});
