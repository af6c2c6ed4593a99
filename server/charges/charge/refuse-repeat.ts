import { DomainError } from "../../kernel/errors.ts";

export const differentBodyRefusal = (): DomainError =>
  new DomainError("unprocessable", {
    code: "idempotency_key_reused",
    message: "This Idempotency-Key was used with another body. Use a new key.",
  });

export const inProgressRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "idempotency_key_in_use",
    message:
      "A request with this Idempotency-Key is in progress, or its outcome is unknown. Send it again in a moment.",
    headers: { "retry-after": "1" },
  });
