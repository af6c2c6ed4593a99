import { findDataExports } from "../data/privacy/data-exports.ts";
import type { Deps } from "../deps/deps.ts";

export type DataExportView = { id: string; requestedAt: Date; isReady: boolean; expiresAt: Date };

/** The exports that are being prepared or can be downloaded, newest first. */
export const listDataExports = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { accountId }: { accountId: string },
): Promise<DataExportView[]> =>
  (await findDataExports(db.sql, accountId, clock.now())).map(({ readyAt, ...row }) => ({
    ...row,
    isReady: readyAt !== null,
  }));
