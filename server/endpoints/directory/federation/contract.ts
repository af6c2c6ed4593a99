import { z } from "zod";
import type { ResponseContract } from "../../../contract/endpoint.ts";

/**
 * OpenID Federation 1.0: errors are OAuth JSON, and unknown parameters are ignored. Statements may be cached
 * for a minute, so that a revoked key is noticed soon.
 */
export const federationContract = {
  method: "GET",
  tag: "OpenID Federation",
  standards: ["OpenID Federation 1.0"],
  auth: { kind: "none" },
  errors: "oauth",
  isPublic: true,
} as const;

export const cacheControl = "public, max-age=60";

export const statementType = "application/entity-statement+jwt";
const example = "eyJ0eXAiOiJlbnRpdHktc3RhdGVtZW50K2p3dCIsImFsZyI6IkVTMjU2In0…";

export const signedResponse = (description: string, contentType: string): ResponseContract => ({
  description,
  contentType,
  schema: z.string(),
  example,
  headers: { "cache-control": cacheControl },
});
