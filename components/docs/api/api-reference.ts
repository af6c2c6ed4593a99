import { type Field, fieldsOf, type Schema, toField } from "./api-schema.ts";
import { operationHref } from "./places.ts";

type Media = { schema?: Schema; example?: unknown };
type Headers = Readonly<Record<string, { description?: string }>>;
type Answer = {
  description: string;
  headers?: Headers;
  content?: Readonly<Record<string, Media>>;
  "x-error-codes"?: readonly string[];
};
type Parameter = { in: string; name: string; required?: boolean; description?: string; schema?: Schema };
type OperationObject = {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: readonly string[];
  "x-rate-limit"?: string;
  security?: readonly Readonly<Record<string, readonly string[]>>[];
  parameters?: readonly Parameter[];
  requestBody?: { content: Readonly<Record<string, Media>> };
  responses: Readonly<Record<string, Answer>>;
};

/** The parts of an OpenAPI 3.1 document that this page reads. */
export type ApiDocument = {
  paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  components: {
    schemas?: Readonly<Record<string, Schema>>;
    securitySchemes: Readonly<Record<string, { description?: string }>>;
  };
};

type Body = { mediaType: string; fields: readonly Field[]; example: string | null };
export type AnswerView = {
  /** null: the response describes every status that isn't listed */
  status: string | null;
  description: string;
  headers: readonly { name: string; description: string }[];
  bodies: readonly Body[];
  codes: readonly string[];
};
export type OperationView = {
  id: string;
  /** the address of its page */
  href: string;
  method: string;
  path: string;
  summary: string;
  description: string | null;
  /** how the caller authenticates; null: the operation needs no authentication */
  caller: string | null;
  scopes: readonly string[];
  /** name of the rate limit class; null: no limit */
  limit: string | null;
  parameters: readonly (Field & { place: string })[];
  bodies: readonly Body[];
  /** the request as it is sent */
  example: string;
  answers: readonly AnswerView[];
  isProblem: boolean;
};
export type Group = { title: string; operations: readonly OperationView[] };

/** The tags in the order of the page. Other tags are added at the end. */
const order = [
  "Authorization server",
  "Grants",
  "Mandates",
  "Merchant",
  "Sandbox",
  "Discovery",
  "Status lists",
  "Wallet",
  "Status",
  "Health",
];

/** /openapi.json in the form that this page shows. */
export const toGroups = (document: ApiDocument): Group[] => {
  const groups = new Map<string, OperationView[]>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const title = operation.tags?.[0] ?? "Other";
      groups.set(title, [
        ...(groups.get(title) ?? []),
        toOperation(document, path, { method: method.toUpperCase(), operation }),
      ]);
    }
  }
  const place = (title: string) => (order.includes(title) ? order.indexOf(title) : order.length);
  return [...groups]
    .map(([title, operations]) => ({ title, operations }))
    .toSorted((left, right) => place(left.title) - place(right.title));
};

const toOperation = (
  document: ApiDocument,
  path: string,
  { method, operation }: { method: string; operation: OperationObject },
): OperationView => {
  const resolve = (reference: string): Schema => document.components.schemas?.[reference.split("/").at(-1) ?? ""] ?? {};
  const bodiesOf = (content: Readonly<Record<string, Media>> = {}): Body[] =>
    Object.entries(content).map(([mediaType, { schema, example }]) => ({
      mediaType,
      fields: schema ? fieldsOf(schema, resolve) : [],
      example: example === undefined ? null : spellExample(mediaType, example),
    }));
  const bodies = bodiesOf(operation.requestBody?.content);
  const [scheme, scopes = []] = Object.entries(operation.security?.[0] ?? {})[0] ?? [];
  const parameters = (operation.parameters ?? []).map((parameter) => ({
    ...toField(parameter.name, { description: parameter.description, ...parameter.schema } as Schema, {
      isRequired: parameter.required ?? false,
      resolve,
    }),
    place: parameter.in,
  }));
  return {
    id: operation.operationId,
    method,
    path,
    parameters,
    bodies,
    scopes,
    href: operationHref(operation.operationId),
    summary: operation.summary ?? operation.operationId,
    description: operation.description?.replace(/^Implements (.+)\.$/, "$1") ?? null,
    limit: operation["x-rate-limit"] ?? null,
    caller: scheme === undefined ? null : (document.components.securitySchemes[scheme]?.description ?? scheme),
    example: exampleRequest(method, path, { operation, body: bodies[0] }),
    answers: Object.entries(operation.responses).map(([status, answer]) => ({
      status: status === "default" ? null : status,
      description: answer.description,
      headers: Object.entries(answer.headers ?? {}).map(([name, { description = "" }]) => ({ name, description })),
      bodies: bodiesOf(answer.content),
      codes: answer["x-error-codes"] ?? [],
    })),
    isProblem: Object.hasOwn(operation.responses["default"]?.content ?? {}, "application/problem+json"),
  };
};

const formType = "application/x-www-form-urlencoded";

/** A form with one parameter per line, for readers. Clients send it without the line breaks. */
const spellExample = (mediaType: string, example: unknown): string => {
  if (mediaType !== formType || typeof example !== "object" || example === null) {
    return typeof example === "string" ? example : JSON.stringify(example, null, 2);
  }
  return Object.entries(example)
    .map(([name, value], index) => `${index === 0 ? "" : "&"}${new URLSearchParams({ [name]: String(value) })}`)
    .map((line) => line.replaceAll("%E2%80%A6", "…"))
    .join("\n");
};

const exampleRequest = (
  method: string,
  path: string,
  { operation, body }: { operation: OperationObject; body: Body | undefined },
): string => {
  const headers = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === "header" && (parameter.required || parameter.name === "DPoP"))
    .map(({ name }) => `${name}: …`);
  const scheme = Object.keys(operation.security?.[0] ?? {})[0];
  const lines = [
    `${method} ${path}`,
    ...(scheme === "accessToken" ? ["Authorization: Bearer …"] : []),
    ...headers,
    ...(body ? [`Content-Type: ${body.mediaType}`] : []),
  ];
  return body?.example ? `${lines.join("\n")}\n\n${body.example}` : lines.join("\n");
};
