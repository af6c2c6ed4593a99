import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { deleteMerchantLogo, findMerchantLogoHash } from "../../data/merchants/merchant-logos.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { getLockedMerchant } from "../get-locked-merchant.ts";

type Input = {
  merchantId: string;
  /** hash of the logo that the page showed */
  hash: string;
  /** the merchant's owners and admins read it in their audit log */
  reason: string;
  actor: Actor;
  requestId: string;
};

/**
 * An operator removes a merchant's logo. A logo that the operator didn't see isn't removed. A repeated call changes
 * nothing.
 * @throws DomainError not_found, logo_changed.
 */
export const removeLogo = (
  deps: Pick<Deps, "db" | "clock">,
  { merchantId, hash, reason, actor, requestId }: Input,
): Promise<{ isNew: boolean }> =>
  deps.db.sqlTransaction(async (sql) => {
    await getLockedMerchant(sql, merchantId);
    const current = await findMerchantLogoHash(sql, merchantId);
    if (current === null) return { isNew: false };
    if (current !== hash) throw logoChanged();
    await deleteMerchantLogo(sql, merchantId);
    await appendAudit(sql, {
      at: deps.clock.now(),
      actor,
      requestId,
      subjectId: merchantId,
      action: "merchant.logo_removed",
      data: { before: { logo: hash }, after: { logo: null }, reason },
    });
    return { isNew: true };
  });

const logoChanged = (): DomainError =>
  new DomainError("conflict", {
    code: "logo_changed",
    message: "The logo changed after this page was loaded. Close this dialog, then look at the new logo.",
  });
