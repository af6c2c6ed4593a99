import { randomBytes } from "node:crypto";
import { type Environment, sessionPair } from "../rules/session-cookie.ts";

/** A cookie as of a session that nobody has: whoever is sent it must ask the database whose it is. */
export const nobodysSession = (environment: Environment): string =>
  sessionPair(environment, randomBytes(32).toString("base64url"));
