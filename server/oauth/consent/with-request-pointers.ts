import { DomainError, isDomainError } from "../../kernel/errors.ts";

/** Fields of the whole request: one payment method pays for all its mandates. */
const sharedPointers: readonly string[] = ["/payment_method_id"];

/**
 * Runs `work` for one mandate of a request.
 * @throws DomainError with pointers into the request: `/valid_until` becomes `/mandates/0/valid_until`.
 */
export const withRequestPointers = async <T>(index: number, work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!isDomainError(error) || error.errors.length === 0) throw error;
    const errors = error.errors.map(({ pointer, detail }) => ({
      pointer: sharedPointers.includes(pointer) ? pointer : `/mandates/${index}${pointer}`,
      detail,
    }));
    throw new DomainError(error.kind, { code: error.code, message: error.message, errors, cause: error });
  }
};
