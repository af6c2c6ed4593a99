import { findChargeNotice, findMerchantNotices, type NoticeFilters } from "../../data/notices/charge-notices.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { cutPage, findPage, type PageRequest } from "../../kernel/pagination.ts";
import { type NoticeObject, toNoticeObject } from "./notice.wire.ts";

type ReadDeps = Pick<Deps, "db" | "businessClock">;

export const noticeNotFound = (): DomainError =>
  new DomainError("not_found", { code: "notice_not_found", message: "Charge notice not found. Check the ID." });

/** Newest first. The list is empty both for an unknown mandate and for another merchant's mandate. */
export const listMerchantNotices = async (
  { db, businessClock }: ReadDeps,
  query: NoticeFilters & PageRequest,
): Promise<{ data: NoticeObject[]; has_more: boolean }> => {
  const { merchantId } = query;
  const page = await findPage(query, "charge notice", async (id) => {
    const notice = await findChargeNotice(db.sql, id);
    return notice?.merchantId === merchantId ? { at: notice.createdAt, id } : null;
  });
  const now = await businessClock.now();
  const { rows, hasMore } = cutPage(await findMerchantNotices(db.sql, { ...query, page }), page);
  return { data: rows.map((row) => toNoticeObject(row, now)), has_more: hasMore };
};

/** @throws DomainError not_found for an unknown id, and in the same way for another merchant's notice. */
export const getMerchantNotice = async (
  { db, businessClock }: ReadDeps,
  { merchantId, noticeId }: { merchantId: string; noticeId: string },
): Promise<NoticeObject> => {
  const notice = await findChargeNotice(db.sql, noticeId);
  if (notice?.merchantId !== merchantId) throw noticeNotFound();
  return toNoticeObject(notice, await businessClock.now());
};
