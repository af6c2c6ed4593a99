import { z } from "zod";

/**
 * A record that refuses a member named `__proto__`, which zod would silently drop. In a refused record, the other
 * members aren't checked.
 * @param params the messages of an invalid key and of other problems; `protoMessage` is for `__proto__`.
 */
export const exactRecord = <Key extends z.core.$ZodRecordKey, Value extends z.core.SomeType>(
  key: Key,
  value: Value,
  { protoMessage, error }: { protoMessage: string; error: z.core.$ZodErrorMap },
) =>
  z.preprocess(
    (input, { issues }) => {
      if (typeof input === "object" && input !== null && Object.hasOwn(input, "__proto__")) {
        issues.push({ code: "custom", input, path: ["__proto__"], message: protoMessage });
      }
      return input;
    },
    z.record(key, value, { error }),
  );
