import { randomBytes } from "node:crypto";
import { type Environment, sessionPair } from "../rules/session-cookie.ts";

/**
 * The cookie of a session that doesn't exist. A probe sends this cookie, so that the service must query the database.
 */
export const unknownSessionCookie = (environment: Environment): string =>
  sessionPair(environment, randomBytes(32).toString("base64url"));
