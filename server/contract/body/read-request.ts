import type { z } from "zod";
import { DomainError, type FieldError, OAuthError } from "../../kernel/errors.ts";
import { checkRules } from "../../kernel/rule.ts";
import { parseExactly } from "../../kernel/text/json.ts";
import { holdsText, isText, namesOnce } from "../../kernel/text/text.ts";
import type { Endpoint, EndpointRequest } from "../endpoint.ts";
import { fieldErrors } from "./field-errors.ts";
import { mediaType, parseForm, readBody } from "./form.ts";
import { queryRules } from "./form-rules.ts";

/**
 * A request's target. It is split without `new URL`, because `new URL` would take more time than all other work here.
 */
export type Target = { path: string /** without the question mark */; query: string };

/** @param url absolute, without a fragment. */
export const targetOf = (url: string): Target => {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const question = url.indexOf("?", start);
  return question < 0
    ? { path: url.slice(start), query: "" }
    : { path: url.slice(start, question), query: url.slice(question + 1) };
};

/**
 * The body as text: "" if the endpoint has no body, `{}` if the body is optional and absent.
 * @throws DomainError unsupported_media_type, and the errors of `readText`.
 */
export const readRaw = async (endpoint: Endpoint, request: EndpointRequest): Promise<string> => {
  const { content, maxBytes, mayBeAbsent } = endpoint.request;
  if (!content) return "";
  const expected = content === "form" ? "application/x-www-form-urlencoded" : "application/json";
  const isExpected = mediaType(request) === expected;
  if (!isExpected && !mayBeAbsent) throw mediaTypeRefusal(expected);
  const text = await readText(request, maxBytes);
  // The content type of an empty body doesn't matter, because clients send different types.
  if (mayBeAbsent && text === "") return "{}";
  if (!isExpected) throw mediaTypeRefusal(expected);
  return text;
};

const mediaTypeRefusal = (expected: string) =>
  new DomainError("invalid", { code: "unsupported_media_type", message: `The content type must be ${expected}.` });

/** @throws DomainError invalid_request if the body isn't UTF-8, and the errors of `readBody`. */
export const readText = async (request: EndpointRequest, maxBytes?: number): Promise<string> => {
  try {
    return await readBody(request, maxBytes);
  } catch (error) {
    if (error instanceof TypeError) {
      throw new DomainError("invalid", { code: "invalid_request", message: "The body is not valid UTF-8." });
    }
    throw error;
  }
};

/**
 * @param checksTextOf the list whose elements are checked later
 * @throws DomainError invalid_request.
 */
export const parseJson = (text: string, checksTextOf?: string): unknown => {
  let value: unknown;
  try {
    value = parseExactly(text);
  } catch {
    throw malformedJsonRefusal("not valid JSON");
  }
  if (!holdsText(checksTextOf === undefined ? value : withoutList(value, checksTextOf)))
    throw malformedJsonRefusal("contains text with NUL or an unpaired surrogate");
  if (!namesOnce(text)) throw malformedJsonRefusal("has a repeated member");
  return value;
};

const withoutList = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Array.isArray((value as Record<string, unknown>)[name])
    ? { ...value, [name]: [] }
    : value;

const malformedJsonRefusal = (detail: string) =>
  new DomainError("invalid", {
    code: "invalid_request",
    message: "The body is not valid JSON.",
    errors: [{ pointer: "", detail }],
  });

/** @throws OAuthError invalid_client, invalid_request. */
export const refuseCredentials = (query: string): void => checkRules(queryRules, new URLSearchParams(query));

type Strictness = Pick<Endpoint, "errors"> & { request: Pick<Endpoint["request"], "query" | "otherParameters"> };

/**
 * Unless the endpoint ignores other parameters, the contract must name each query parameter, and each must occur once.
 * @throws the error of `fieldsRefusal`.
 */
const refuseOtherParameters = (endpoint: Strictness, query: string): void => {
  const { query: schema, otherParameters } = endpoint.request;
  if (query === "" || (otherParameters ?? (endpoint.errors === "problem" ? "refused" : "ignored")) === "ignored")
    return;
  const errors = parameterErrors(query, parameterNames(schema));
  if (errors.length > 0) throw fieldsRefusal(endpoint, errors);
};

export const parameterNames = (schema: z.ZodType | undefined): readonly string[] =>
  schema ? Object.keys((schema as z.ZodObject).shape) : [];

/** @param names the parameters that may be sent, each once. @returns one error per name that breaks this rule. */
export const parameterErrors = (query: string, names: readonly string[]): FieldError[] => {
  const sent = [...new URLSearchParams(query).keys()];
  const takes = names.length === 0 ? "no parameters are allowed" : `allowed parameters: ${names.join(", ")}`;
  return [...new Set(sent)].slice(0, maxNamed).flatMap((name) => {
    const pointer = `#${name.slice(0, maxNameLength)}`;
    if (!names.includes(name)) return [{ pointer, detail: `unknown parameter; ${takes}` }];
    return sent.indexOf(name) === sent.lastIndexOf(name) ? [] : [{ pointer, detail: "must not be repeated" }];
  });
};

/** A query may have thousands of names, so the response lists only some of them. */
const maxNamed = 20;
const maxNameLength = 100;

/**
 * Validates the request by the endpoint's schemas.
 * @throws OAuthError or DomainError invalid_request naming the field.
 */
export const validateInput = (
  endpoint: Endpoint,
  { path, query }: Target,
  body: unknown,
): { body: unknown; query: unknown; params: unknown } => {
  const schemas = endpoint.request;
  refuseOtherParameters(endpoint, query);
  return {
    body: schemas.body ? validate(endpoint, schemas.body, { value: body, base: "" }) : {},
    query: schemas.query ? validate(endpoint, schemas.query, { value: parseQuery(schemas, query), base: "#" }) : {},
    params: schemas.params
      ? validate(endpoint, schemas.params, { value: pathParameters(endpoint, path), base: "#" })
      : {},
  };
};

const parseQuery = ({ repeats }: Endpoint["request"], query: string): unknown => {
  if (!repeats) return parseForm(query);
  const sent = new URLSearchParams(query);
  return Object.fromEntries([...new Set(sent.keys())].map((name) => [name, sent.getAll(name)]));
};

const pathParameters = (endpoint: Endpoint, path: string): Record<string, string> => {
  const values = matchPath(endpoint, path) ?? {};
  if (Object.values(values).every(isText)) return values;
  throw new DomainError("not_found", {
    code: "not_found",
    message: "This path doesn't exist. Check the path and the method.",
  });
};

/** @returns the values of `{name}` segments; null if the path doesn't match. */
const matchPath = (
  { path, takesRest }: Pick<Endpoint, "path" | "takesRest">,
  pathname: string,
): Record<string, string> | null => {
  const expected = path.split("/");
  const segments = pathname.split("/");
  const last = expected.length - 1;
  const actual = takesRest ? [...segments.slice(0, last), segments.slice(last).join("/")] : segments;
  if (expected.length !== actual.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of expected.entries()) {
    const value = actual[index] ?? "";
    if (segment.startsWith("{")) {
      try {
        params[segment.slice(1, -1)] = decodeURIComponent(value);
      } catch {
        return null;
      }
    } else if (segment !== value) return null;
  }
  return params;
};

const validate = (
  endpoint: Endpoint,
  schema: z.ZodType,
  { value, base }: { value: unknown; base: "" | "#" },
): unknown => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw fieldsRefusal(endpoint, fieldErrors(result.error, base));
};

/** The text for programs, which can read the list of fields. A page for a person has a separate text. */
export const malformedFieldsMessage = "A field is missing or malformed. Correct the fields in errors.";

/** @returns the error in the endpoint's shape, naming the fields. */
const fieldsRefusal = (
  { errors: shape }: Pick<Endpoint, "errors">,
  errors: readonly FieldError[],
): OAuthError | DomainError => {
  if (shape !== "oauth") {
    return new DomainError("invalid", {
      code: "invalid_request",
      message: malformedFieldsMessage,
      errors,
    });
  }
  const [first] = errors;
  const name = first?.pointer.replace(/^[#/]+/, "").split("/")[0] ?? "";
  // A name with other characters isn't a name of this API, and the description must not repeat arbitrary input (RFC
  // 6749 §5.2).
  return new OAuthError("invalid_request", /^[\w.-]{1,64}$/.test(name) ? `${name}: ${first?.detail}` : "bad request");
};
