import type { ChargeAnswer } from "../../charges/charge/charge-answer.ts";
import type { EndpointRequest, Reply } from "../../contract/endpoint.ts";
import { DomainError } from "../../kernel/errors.ts";

/** Required on every POST that moves money. @throws DomainError where it is missing or malformed. */
export const readIdempotencyKey = (request: EndpointRequest): string => {
  const key = request.headers.get("idempotency-key") ?? "";
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  const detail = key === "" ? "is missing" : "must be 1 to 255 visible ASCII characters";
  throw new DomainError("invalid", "invalid_request", `The Idempotency-Key header ${detail}.`, {
    errors: [{ pointer: "#Idempotency-Key", detail }],
  });
};

/** 201 and 202 tell where the charge can be read. */
export const toReply = (answer: ChargeAnswer): Reply => ({
  status: answer.status,
  headers: {
    "cache-control": "no-store",
    ...(answer.status === 201 || answer.status === 202 ? { location: answer.location } : {}),
    ...(answer.isReplay ? { "idempotent-replayed": "true" } : {}),
  },
  contentType: answer.contentType,
  body: answer.body,
});
