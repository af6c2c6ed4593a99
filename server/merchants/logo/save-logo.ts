import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { deleteMerchantLogo, findMerchantLogoHash, putMerchantLogo } from "../../data/merchants/merchant-logos.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError } from "../../kernel/errors.ts";
import { getLockedMerchant } from "../get-locked-merchant.ts";
import { logoProblem, readLogo } from "../rules/logo/logo-image.ts";

type Input = {
  merchantId: string;
  /** null removes the logo */
  content: Buffer | null;
  /** hash of the logo that the page showed; null: it showed none */
  replaces: string | null;
  actor: Actor;
  requestId: string;
};

/**
 * Saves a picture as the merchant's logo, without the picture's metadata, or removes the logo. Repeating a change
 * changes nothing.
 * @throws DomainError not_found, settings_changed, logo_refused.
 */
export const saveLogo = async (
  deps: Pick<Deps, "db" | "clock">,
  { merchantId, content, replaces, actor, requestId }: Input,
): Promise<{ hash: string | null }> => {
  const image = content && readImage(content);
  const hash = image && sha256Base64url(image.content);
  return deps.db.sqlTransaction(async (sql) => {
    await getLockedMerchant(sql, merchantId);
    const before = await findMerchantLogoHash(sql, merchantId);
    if (before === hash) return { hash };
    if (before !== replaces) throw conflict();
    const at = deps.clock.now();
    if (image && hash !== null) await putMerchantLogo(sql, merchantId, { ...image, hash, at });
    else await deleteMerchantLogo(sql, merchantId);
    await appendAudit(sql, {
      at,
      actor,
      requestId,
      subjectId: merchantId,
      action: "merchant.logo_changed",
      data: { before: { logo: before }, after: { logo: hash } },
    });
    return { hash };
  });
};

const readImage = (content: Buffer) => {
  const image = readLogo(content);
  const problem = logoProblem(image, content.length);
  if (problem === null && image) return image;
  const message = problem ?? "Choose a picture.";
  throw new DomainError("unprocessable", {
    code: "logo_refused",
    message,
    errors: [{ pointer: "/content", detail: message }],
  });
};

const conflict = () =>
  new DomainError("conflict", {
    code: "settings_changed",
    message: "Someone else has changed the logo. Look at the new logo, then choose your picture again.",
  });
