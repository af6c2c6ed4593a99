import { findForeignKeyList, hasForeignKey } from "../data/foreign-keys.ts";
import type { Deps } from "../deps.ts";
import { OAuthError } from "../kernel/errors.ts";
import { importForeignKeys } from "./import-foreign-keys.ts";

const maxListAgeSeconds = 24 * 3600;

/**
 * In the sandbox: no key that production knows (1-oauth, Keys). Without a list of the last 24 h new keys are refused.
 * @throws OAuthError invalid_client_metadata.
 */
export const checkForeignKeys = async (deps: Deps, thumbprintHashes: readonly string[]): Promise<void> => {
  if (deps.config.environment !== "sandbox" || deps.config.productionUrl === null) return;
  if (!(await isListFresh(deps)))
    await importForeignKeys(deps).catch((err: unknown) => deps.log.warn({ err }, "production's key list"));
  if (!(await isListFresh(deps))) {
    throw new OAuthError("temporarily_unavailable", "production's key list is out of reach, so new keys are refused", {
      status: 503,
    });
  }
  if (await hasForeignKey(deps.db.sql, thumbprintHashes)) {
    throw new OAuthError("invalid_client_metadata", "jwks: holds a key that is used in production");
  }
};

const isListFresh = async ({ db, clock }: Deps): Promise<boolean> => {
  const list = await findForeignKeyList(db);
  return list !== null && clock.now().getTime() - list.issuedAt.getTime() < maxListAgeSeconds * 1000;
};
