import { z } from "zod";
import type { SessionContext } from "../../accounts/sessions/find-session.ts";
import type { IdPrefix } from "../../kernel/ids.ts";
import type { TrpcContext } from "../context.ts";

/** An id in the form of `newId`. */
export const idField = (prefix: IdPrefix) => z.string().regex(new RegExp(`^${prefix}_[0-9A-Za-z]{1,60}$`));

const hasFourDigitYear = (date: Date): boolean => date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999;

/** With an offset, a time in 9999 can be in the year 10000 in UTC. PostgreSQL stores it, but clients can't parse it. */
export const instant = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .refine(hasFourDigitYear, "The year must have four digits.");

/** A UTC day. */
export const day = z.iso
  .date()
  .transform((text) => new Date(`${text}T00:00:00Z`))
  .refine(hasFourDigitYear, "The year must have four digits.");

/** Published on the status page. */
export const publicText = z.string().trim().min(3).max(4_000);
export const title = z.string().trim().min(3).max(120);

/** The search text of a list. */
export const listSearch = z.string().trim().min(1).max(200).optional();

/** Recorded in the audit log. */
export const reason = z.string().trim().min(3).max(500);

/** Visible ASCII, as in processors' ids. */
const processorRef = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{1,200}$/);

/** What an operator found at the processor for a charge or payment with an unknown outcome. */
export const finding = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["succeeded", "declined"]), processorRef }),
  z.object({ kind: z.literal("nothing") }),
]);

/** The actor and the request, for the audit log. */
export const operatorOf = ({ account, info }: Pick<SessionContext, "account"> & Pick<TrpcContext, "info">) => ({
  actor: { kind: "operator" as const, id: account.id },
  requestId: info.requestId,
});
