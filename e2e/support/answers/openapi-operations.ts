import { send } from "./wire.ts";

export type ErrorShape = "oauth" | "problem" | "page";

/** One operation of /openapi.json, with the fields that tests of invalid input need. */
export type Operation = {
  title: string;
  method: string;
  path: string;
  /** the methods of its path, HEAD and OPTIONS included */
  allowed: readonly string[];
  security: (typeof securities)[number] | "none";
  content: "application/x-www-form-urlencoded" | "application/json" | null;
  /** the members of the body, and an example of it */
  body: { members: readonly string[]; example: object };
  /** the largest accepted body */
  maxBodyBytes: number;
  queryParameters: readonly string[];
  pathParameters: readonly string[];
  errorShape: ErrorShape;
};

type Node = { [name: string]: Node } & { [index: number]: Node };
const shapes: Readonly<Record<string, ErrorShape>> = {
  "application/json": "oauth",
  "application/problem+json": "problem",
  "text/html": "page",
};
const securities = ["privateKeyJwt", "registrationAccessToken", "accessToken"] as const;
const methods = ["get", "post", "put", "patch", "delete"] as const;

const names = (value: unknown): string[] => (typeof value === "object" && value !== null ? Object.keys(value) : []);

/** The members of a schema and of its alternatives. @throws Error for a reference, because it would hide members. */
const membersOf = (schema: Node | undefined): string[] => {
  if (schema?.["$ref"]) throw new Error(`resolve ${schema["$ref"]} to find its members`);
  const alternatives = ["anyOf", "oneOf", "allOf"].flatMap((kind) => Object.values(schema?.[kind] ?? {}));
  return [...new Set([...names(schema?.["properties"]), ...alternatives.flatMap(membersOf)])];
};

/** Every documented operation of the authorization server; `isStatus` marks those of the status process. */
export const listOperations = async (baseUrl: string): Promise<Operation[]> => {
  const document = JSON.parse((await send(`${baseUrl}/openapi.json`)).text) as { paths: Record<string, Node> };
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const present = methods.filter((method) => item[method]);
    const allowed = [...present.map((method) => method.toUpperCase()), ...(item["get"] ? ["HEAD"] : []), "OPTIONS"];
    return present.map((method) => toOperation(item[method] ?? {}, { path, method, allowed }));
  });
};

type Place = { path: string; method: string; allowed: readonly string[] };

const toOperation = (node: Node, { path, method, allowed }: Place): Operation => {
  const scheme = names((node["security"] as unknown as Node[] | undefined)?.[0])[0];
  const content = names(node["requestBody"]?.["content"])[0];
  const body = node["requestBody"]?.["content"]?.[content ?? ""];
  const parameters = (node["parameters"] ?? []) as unknown as { in: string; name: string }[];
  const among = (place: string) => parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
  return {
    title: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    allowed,
    security: securities.find((known) => known === scheme) ?? "none",
    content: content === "application/json" || content === "application/x-www-form-urlencoded" ? content : null,
    body: { members: membersOf(body?.["schema"]), example: body?.["example"] ?? {} },
    maxBodyBytes: Number(node["x-max-body-bytes"] ?? 64 * 1024),
    queryParameters: among("query"),
    pathParameters: among("path"),
    errorShape: shapes[names(node["responses"]?.["default"]?.["content"])[0] ?? ""] ?? "problem",
  };
};

/**
 * Served by the status process, to which every other process redirects (docs/spec/product.md, Components and hosts).
 */
export const isStatus = ({ path }: { path: string }): boolean => path.startsWith("/status/");

export const fillPath = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? "unknown"));
