import { answerFile } from "../../assets/answer-file.ts";
import { currentBundle } from "../../assets/bundle.ts";
import { manifestExample, manifestSchema } from "../../assets/manifest.wire.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";

export const manifestEndpoint = defineEndpoint({
  method: "GET",
  path: "/cdn/manifest.json",
  operationId: "getAssetManifest",
  summary: "Every file of the asset bundle, with its paths, sizes and integrity value",
  tag: "Assets",
  standards: ["Subresource Integrity"],
  auth: { kind: "none" },
  rateLimit: "none",
  errors: "problem",
  errorCodes: ["range_not_satisfiable"],
  isPublic: true,
  request: { otherParameters: "ignored" },
  responses: {
    200: { description: "The manifest", schema: manifestSchema, example: manifestExample },
    206: {
      description: "The requested range (RFC 9110 §15.3.7)",
      contentType: "application/json",
      example: "…",
    },
    304: { description: "Not modified: the caller’s copy is current (If-None-Match)" },
  },
  async handle({ request }) {
    const { stored } = await currentBundle();
    return answerFile(request, { file: stored, cacheControl: "public, max-age=300" });
  },
});
