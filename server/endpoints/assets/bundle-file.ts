import { z } from "zod";
import { answerFile } from "../../assets/answer-file.ts";
import { type Bundle, currentBundle, type StoredFile } from "../../assets/bundle.ts";
import { defineEndpoint, type EndpointRequest, type RawReply } from "../../contract/endpoint.ts";
import { DomainError } from "../../kernel/errors.ts";

const responses = {
  200: {
    description: "The file, in Brotli or gzip if the caller accepts it",
    contentType: "text/javascript; charset=utf-8",
    example: "…",
    headers: {
      etag: "Strong entity tag of this encoding (RFC 9110 §8.8.3)",
      "content-encoding": "`br` or `gzip`, if the file is compressed",
      "cross-origin-resource-policy": "`cross-origin`",
      "timing-allow-origin": "`*`",
      "accept-ranges": "`bytes`",
    },
  },
  206: {
    description: "The requested range of the uncompressed file (RFC 9110 §15.3.7)",
    contentType: "text/javascript; charset=utf-8",
    example: "…",
    headers: { "content-range": "First and last byte, and the size of the file" },
  },
  304: { description: "Not modified: the caller’s copy is current (If-None-Match)" },
} as const;

const shared = {
  method: "GET",
  tag: "Assets",
  standards: ["RFC 9110", "RFC 9111"],
  auth: { kind: "none" },
  // There is no limit: files are sent from memory, and a page loads several files at the same time.
  rateLimit: "none",
  errors: "problem",
  errorCodes: ["invalid_request", "not_found", "range_not_satisfiable"],
  isPublic: true,
  responses,
} as const;

/** Pages add a cache buster or a version to the addresses of scripts. A file is the same with any query. */
const otherParameters = "ignored";

const immutable = "public, max-age=31536000, immutable";
const newest = "public, max-age=300";

const schemaType = { contentType: "application/schema+json", example: "{…}" } as const;
const ofSchemas = {
  ...responses,
  200: { ...responses[200], ...schemaType },
  206: { ...responses[206], ...schemaType },
} as const;

const answerFrom = async (
  request: EndpointRequest,
  find: (bundle: Bundle) => StoredFile | undefined,
  cacheControl: string,
): Promise<RawReply> => {
  const file = find(await currentBundle());
  if (!file) throw fileNotFound();
  return answerFile(request, { file, cacheControl });
};

const fileNotFound = (): DomainError =>
  new DomainError("not_found", {
    code: "not_found",
    message: "The bundle doesn't have this file. manifest.json lists all files.",
  });

export const bundleFileEndpoint = defineEndpoint({
  ...shared,
  path: "/cdn/assets/{file}",
  operationId: "getAsset",
  summary: "A file of the asset bundle by the hash of its content. It never changes",
  request: { params: z.object({ file: z.string() }), otherParameters },
  handle: ({ request }, { params: { file } }) => answerFrom(request, ({ byPath }) => byPath.get(file), immutable),
});

export const schemaFileEndpoint = defineEndpoint({
  ...shared,
  path: "/cdn/assets/schemas/{file}",
  operationId: "getSchemaByHash",
  summary: "A JSON Schema of the asset bundle by the hash of its content. It never changes",
  request: { params: z.object({ file: z.string() }), otherParameters },
  responses: ofSchemas,
  handle: ({ request }, { params: { file } }) =>
    answerFrom(request, ({ byPath }) => byPath.get(`schemas/${file}`), immutable),
});

export const schemaAliasEndpoint = defineEndpoint({
  ...shared,
  path: "/cdn/v1/schemas/{name}",
  operationId: "getSchema",
  summary: "The newest version of a JSON Schema: the document’s name and .json",
  standards: ["RFC 9110", "JSON Schema 2020-12"],
  request: { params: z.object({ name: z.string() }), otherParameters },
  responses: ofSchemas,
  handle: ({ request }, { params: { name } }) =>
    answerFrom(request, ({ byAlias }) => byAlias.get(`schemas/${name}`), newest),
});

export const bundleAliasEndpoint = defineEndpoint({
  ...shared,
  path: "/cdn/v1/{name}",
  operationId: "getAssetByName",
  summary: "The newest version of a file of the asset bundle",
  request: { params: z.object({ name: z.string() }), otherParameters },
  handle: ({ request }, { params: { name } }) => answerFrom(request, ({ byAlias }) => byAlias.get(name), newest),
});
