import type { RegistrationCaller } from "../../contract/callers.ts";
import { lockRegistration } from "../../data/oauth/client-registrations.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { checkStillOf } from "./authenticate-registration.ts";
import { endClient } from "./end-client.ts";

/**
 * RFC 7592 §2.3: deletes the client, its mandates, grants and tokens in one transaction.
 * @throws OAuthError invalid_token.
 */
export const deleteClient = (
  deps: Deps,
  { caller, info }: { caller: RegistrationCaller; info: RequestInfo },
): Promise<void> =>
  deps.db.sqlTransaction(async (sql) => {
    const { id } = caller.registration;
    checkStillOf(await lockRegistration(sql, id), caller);
    await endClient(deps, sql, { clientId: id, actor: { kind: "client", id }, requestId: info.requestId });
  });
