import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { saveForeignKeyList } from "../../data/oauth/foreign-keys.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { ownUserAgent } from "../../kernel/requests/own-agent.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";
import { hasBegun } from "../../kernel/time/numeric-date.ts";
import { keyListType } from "./publish-key-list.ts";

const timeoutMilliseconds = 5_000;
const clockSkewSeconds = 60;
const isText = (value: unknown): value is string => typeof value === "string";

/**
 * Sandbox: fetches and stores production's signed key list.
 * @throws DomainError unavailable if it can't be fetched, Error if its signature or a claim is invalid.
 */
export const importForeignKeys = async (deps: Deps): Promise<void> => {
  const { productionUrl, environment } = deps.config;
  if (environment !== "sandbox" || productionUrl === null) return;
  const fetchFrom = async (path: string): Promise<Response> => {
    try {
      const response = await fetch(`${productionUrl}${path}`, {
        headers: { "user-agent": ownUserAgent },
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMilliseconds),
      });
      // A proxy answers for production while production starts.
      if (!response.ok) throw new Error(`status ${response.status}`);
      return response;
    } catch (cause) {
      throw new DomainError("unavailable", {
        code: "production_unreachable",
        message: "Production's key list can't be loaded. Try again in a moment.",
        cause,
      });
    }
  };
  const jwks = (await (await fetchFrom("/.well-known/jwks.json")).json()) as JSONWebKeySet;
  const list = await (await fetchFrom("/.well-known/client-key-list")).text();
  const { payload } = await jwtVerify(list, createLocalJWKSet(jwks), {
    typ: keyListType,
    issuer: productionUrl,
    algorithms: ["ES256"],
    currentDate: deps.clock.now(),
    requiredClaims: ["iat", "exp"],
  });
  // A list with a date in the future would count as fresh for more than a day.
  if (!hasBegun(payload.iat, epochSeconds(deps.clock.now()) + clockSkewSeconds)) {
    throw new Error(
      "production's key list has an issue time in the future: compare the clocks of production and sandbox",
    );
  }
  const hashes = payload["thumbprint_hashes"];
  if (!Array.isArray(hashes) || !hashes.every(isText))
    throw new Error("production's key list has an invalid thumbprint_hashes");
  const issuedAt = new Date((payload.iat ?? 0) * 1000);
  await deps.db.transaction((tx) => saveForeignKeyList(tx, { thumbprintHashes: hashes, issuedAt, jwks }));
};
