import type { ErrorShape, Operation } from "../support/answers/openapi-operations.ts";
import type { WireAnswer } from "../support/answers/read-answer.ts";

/** Node's parser refuses malformed and incomplete messages before the endpoint is known. */
const statusesBeforeRouting: ReadonlySet<number> = new Set([408, 431]);

type RequestInfo = { operation: Operation | null; method: string };

/**
 * @returns what is wrong with a response, or null (docs/spec/product.md, Invalid requests; docs/spec/operations.md,
 *   Logs).
 */
export const judge = (answer: WireAnswer, { operation, method }: RequestInfo): string | null => {
  const { status, headers } = answer;
  if (status >= 500) return `${status}`;
  if (!/^req_[0-9A-Za-z]{24}$/.test(headers.get("x-request-id") ?? "")) return `${status} without a request id`;
  const text = answer.body.toString("utf8");
  const isPage = /^text\/html|^text\/x-component/.test(headers.get("content-type") ?? "");
  if (!isPage && /node_modules|server\/[a-z]+\/|postgres|prisma|\bat async /i.test(text))
    return "reveals internal details";
  if (status === 405 && !headers.has("allow")) return "405 without Allow";
  if (status < 400 || method === "HEAD") return null;
  const shape = shapeOf(answer, text);
  if (shape === null) return `${status} in an unknown shape: ${headers.get("content-type")} ${text.slice(0, 200)}`;
  const expected = statusesBeforeRouting.has(status) ? undefined : operation?.errorShape;
  return expected && shape !== expected ? `${status} as ${shape} where ${expected} is documented` : null;
};

type Members = Readonly<Record<string, unknown>>;

const parse = (text: string): Members => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
};

/** RFC 6749 §5.2. */
const isOAuth = (members: Members): boolean =>
  Object.keys(members).sort().join() === "error,error_description" &&
  /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/.test(String(members["error_description"]));

/** RFC 9457 §3. */
const isProblem = ({ type, status, title, detail }: Members, answered: number): boolean =>
  String(type).includes("/docs/errors#") &&
  status === answered &&
  typeof title === "string" &&
  typeof detail === "string";

/** The error format of the pages' own procedures. */
const isTyped = ({ error }: Members): boolean =>
  typeof error === "object" && error !== null && "message" in error && "code" in error && "data" in error;

const shapeOf = ({ status, headers }: WireAnswer, text: string): ErrorShape | "typed" | null => {
  const type = headers.get("content-type") ?? "";
  if (type.startsWith("text/html")) return /<!doctype html>/i.test(text) ? "page" : null;
  // A response to a request for parts of a page (`rsc: 1`). Next's own links send these requests.
  if (type.startsWith("text/x-component")) return "page";
  const members = parse(text);
  if (type === "application/problem+json") return isProblem(members, status) ? "problem" : null;
  if (!type.startsWith("application/json")) return null;
  if (isTyped(members)) return "typed";
  return isOAuth(members) ? "oauth" : null;
};
