import { offerTotpSecret } from "../../data/accounts/second-factors.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { newTotpSecret, totpUri } from "../rules/totp.ts";
import type { SessionContext } from "../sessions/find-session.ts";
import { requireSecondFactor } from "./require-second-factor.ts";
import { totpContext } from "./totp-context.ts";

/** A page that is reloaded within this time, in the same session, shows the same secret. */
const offerSeconds = 15 * 60;

/**
 * The secret for an authenticator app. It becomes a second factor when a code confirms it.
 * @throws DomainError second_factor_required, totp_exists.
 */
export const beginTotp = async (
  deps: Pick<Deps, "db" | "clock" | "sealer" | "config">,
  session: Pick<SessionContext, "account" | "sessionId" | "hasSecondFactor">,
): Promise<{ secret: string; uri: string }> => {
  await requireSecondFactor(deps, session);
  const { id: accountId, email } = session.account;
  const now = deps.clock.now();
  const context = totpContext(accountId);
  const sealed = await offerTotpSecret(deps.db.sql, {
    accountId,
    sessionId: session.sessionId,
    sealedSecret: deps.sealer.seal(newTotpSecret(), context),
    now,
    keepFrom: addSeconds(now, -offerSeconds),
  });
  if (sealed === null) throw totpExistsRefusal();
  const secret = deps.sealer.open(sealed, context);
  const issuer = deps.config.environment === "sandbox" ? "Paygrant sandbox" : "Paygrant";
  return { secret, uri: totpUri(secret, { issuer, label: email }) };
};

const totpExistsRefusal = () =>
  new DomainError("conflict", {
    code: "totp_exists",
    message: "Your account already has an authenticator app. Reload the page, then enter its code.",
  });
