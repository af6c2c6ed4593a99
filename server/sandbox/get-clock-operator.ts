import { assertSameOrigin } from "../accounts/assert-same-origin.ts";
import { authorize } from "../accounts/authorize.ts";
import { findSession } from "../accounts/sessions/find-session.ts";
import { sessionActor } from "../accounts/sessions/session-actor.ts";
import type { Actor } from "../data/audit/audit.ts";
import type { Deps } from "../deps/deps.ts";
import { DomainError } from "../kernel/errors.ts";
import { isLoopbackAddress } from "../kernel/text/ip-address.ts";

/**
 * Who may move the clock: an operator, from one of our pages. With the default embedded database, a program on this
 * machine may move it too.
 * @throws DomainError operator_required, cross_origin.
 */
export const getClockOperator = async (
  deps: Deps,
  { headers, ipAddress }: { headers: Pick<Headers, "get" | "has">; ipAddress: string },
): Promise<Actor> => {
  const session = await findSession(deps, headers.get("cookie"));
  const origin = headers.get("origin");
  // A browser names the origin of the page. A page of another site must not reach this machine through the browser.
  if (session || origin !== null || headers.has("sec-fetch-site")) assertSameOrigin(headers, deps.config);
  // The origin is checked again without Sec-Fetch-Site: after DNS rebinding, a page of another site reaches this
  // machine under its own host name, and the browser reports same-origin.
  if (origin !== null) assertSameOrigin(new Headers({ origin }), deps.config);
  if (session && authorize(sessionActor(deps, session), "sandbox_clock.advance", { kind: "none" }) === "allow") {
    return { kind: "operator", id: session.account.id };
  }
  if (deps.config.isEmbedded && isLoopbackAddress(ipAddress)) return { kind: "operator", id: "loopback" };
  throw new DomainError("forbidden", {
    code: "operator_required",
    message: "Only an operator may move the sandbox's clock.",
  });
};
