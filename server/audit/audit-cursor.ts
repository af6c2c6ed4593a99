import type { AuditCursor } from "../data/audit/audit-search.ts";
import { fieldRefusal } from "../kernel/errors.ts";

export const writeAuditCursor = ({ at, seq }: AuditCursor): string =>
  `${at.getTime().toString(36)}.${seq.toString(36)}`;

/** @throws DomainError invalid. */
export const readAuditCursor = (text: string): AuditCursor => {
  const [, at, seq] = /^([0-9a-z]{1,10})\.([0-9a-z]{1,10})$/.exec(text) ?? [];
  const cursor = { at: new Date(Number.parseInt(at ?? "", 36)), seq: Number.parseInt(seq ?? "", 36) };
  if (Number.isNaN(cursor.at.getTime()) || !Number.isSafeInteger(cursor.seq))
    throw fieldRefusal("#cursor", "is not a cursor of this list");
  return cursor;
};
