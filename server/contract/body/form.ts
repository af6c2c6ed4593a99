import { DomainError, isDomainError } from "../../kernel/errors.ts";
import { checkRules } from "../../kernel/rule.ts";
import type { EndpointRequest, FormFields } from "../endpoint.ts";
import { formRules, parameterRules, repeatable } from "./form-rules.ts";

/** The default limit of an endpoint: 64 KiB, more than a request needs (RFC 6749 §3.1, §3.2). */
export const maxBodyBytes = 64 * 1024;

/**
 * @returns fields by name; an empty value counts as absent (RFC 6749 §3.1).
 * @throws OAuthError invalid_request if a parameter repeats (RFC 6749 §3.1, §3.2) or isn't valid text (Appendix B).
 */
export const parseForm = (text: string): FormFields => {
  if (text === "") return Object.create(null);
  checkRules(formRules, { text });
  // The object has no prototype, so `__proto__` is a parameter name like any other.
  const fields: Record<string, string | string[]> = Object.create(null);
  const seen = new Set<string>();
  for (const [name, value] of new URLSearchParams(text)) {
    checkRules(parameterRules, { name, value, seen });
    seen.add(name);
    if (value === "") continue;
    const before = fields[name];
    if (Array.isArray(before)) before.push(value);
    else fields[name] = repeatable.has(name) ? [value] : value;
  }
  return fields;
};

/** @returns the Content-Length; 0 if there is none. @throws DomainError body_too_large. */
export const readContentLength = ({ headers }: Pick<EndpointRequest, "headers">, maxBytes = maxBodyBytes): number => {
  const announced = Number(headers.get("content-length") ?? 0);
  if (announced > maxBytes) throw bodyTooLargeRefusal(maxBytes);
  return announced;
};

/** Encoded (compressed) bodies aren't accepted. @throws DomainError unsupported_media_type (RFC 9110 §15.5.16). */
const refuseEncoded = ({ headers }: Pick<EndpointRequest, "headers">): void => {
  const coding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (coding === "" || coding === "identity") return;
  const detail = "The body must not be compressed. Send it without Content-Encoding.";
  // The encodings that are accepted (RFC 9110 §12.5.3).
  throw new DomainError("invalid", {
    code: "unsupported_media_type",
    message: detail,
    headers: { "accept-encoding": "identity" },
  });
};

/**
 * @throws DomainError unsupported_media_type if the body is compressed, body_too_large, invalid_request if the caller
 *   disconnects.
 * @throws TypeError if the body isn't UTF-8.
 */
export const readBody = async (request: EndpointRequest, maxBytes = maxBodyBytes): Promise<string> => {
  refuseEncoded(request);
  const announced = readContentLength(request, maxBytes);
  // Node delivers at most Content-Length bytes, so there is no need to count them or to read a stream.
  if (announced > 0) return decode(await request.arrayBuffer().catch(refuseIncomplete));
  return request.body ? decode(Buffer.concat(await readChunks(request.body, maxBytes).catch(refuseIncomplete))) : "";
};

const readChunks = async (body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array[]> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw bodyTooLargeRefusal(maxBytes);
    chunks.push(chunk);
  }
  return chunks;
};

/** If the caller disconnects, this isn't a fault of the service. */
const refuseIncomplete = (error: unknown): never => {
  if (isDomainError(error)) throw error;
  throw new DomainError("invalid", {
    code: "invalid_request",
    message: "The connection closed before the body was complete.",
    cause: error,
  });
};

const utf8 = new TextDecoder("utf-8", { fatal: true });
const decode = (bytes: ArrayBuffer | Uint8Array): string => utf8.decode(bytes);

const bodyTooLargeRefusal = (maxBytes: number) =>
  new DomainError("invalid", { code: "body_too_large", message: `The body is larger than ${maxBytes / 1024} KiB.` });

/** The media type without its parameters, lower case. */
export const mediaType = (request: EndpointRequest): string =>
  (request.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
