import { DomainError } from "../../kernel/errors.ts";

export const ownClientNotFound = (): DomainError =>
  new DomainError("not_found", { code: "not_found", message: "App not found. It may have been deleted." });
