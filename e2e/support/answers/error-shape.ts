import { expect } from "vitest";
import type { ErrorShape } from "./openapi-operations.ts";
import type { Answer } from "./wire.ts";

/**
 * Checks what every response must contain, and what none may reveal (docs/spec/product.md, Invalid requests;
 * docs/spec/operations.md, Logs).
 */
export const expectSound = (answer: Answer): void => {
  expect(answer.status, answer.text).toBeLessThan(500);
  expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
  expect(answer.text).not.toMatch(/node_modules|server\/[a-z]+\/|postgres|prisma|at async /i);
};

/** RFC 6749 §5.2: two members of printable ASCII without quote and backslash, never cached. */
export const expectOAuthError = (answer: Answer, status: number, code: string | RegExp = /^[a-z_]+$/): void => {
  expectSound(answer);
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(Object.keys(answer.json ?? {}).sort()).toEqual(["error", "error_description"]);
  expect(answer.json?.["error"]).toEqual(typeof code === "string" ? code : expect.stringMatching(code));
  expect(answer.json?.["error_description"]).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
};

/** RFC 9457 §3: type, title, status and detail. */
export const expectProblem = (answer: Answer, status: number, code?: string): void => {
  expectSound(answer);
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.json).toMatchObject({ type: expect.stringContaining("/docs/errors#"), status });
  expect(answer.json?.["title"]).toEqual(expect.any(String));
  expect(answer.json?.["detail"]).toEqual(expect.any(String));
  if (code) expect(answer.json?.["type"]).toMatch(new RegExp(`#${code}$`));
};

/** A problem whose `errors` name an invalid field by pointer. */
export const expectFieldProblem = (
  answer: Answer,
  pointer: string,
  { status = 400, code = "invalid_request" }: { status?: number; code?: string } = {},
): void => {
  expectProblem(answer, status, code);
  expect(answer.json?.["errors"]).toEqual(expect.arrayContaining([{ pointer, detail: expect.stringMatching(/\w/) }]));
};

/** A page for a person, which never redirects. */
export const expectErrorPage = (answer: Answer, status: number): void => {
  expectSound(answer);
  expect(answer.status).toBe(status);
  expect(answer.headers.get("location")).toBeNull();
  expect(answer.headers.get("content-type")).toMatch(/^text\/html/);
};

export const expectErrorOf = (shape: ErrorShape, answer: Answer, status: number): void => {
  if (shape === "oauth") expectOAuthError(answer, status);
  else if (shape === "problem") expectProblem(answer, status);
  else expectErrorPage(answer, status);
};
