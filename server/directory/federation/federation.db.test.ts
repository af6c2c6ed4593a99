import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, type JWK, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { federationStatementSeconds, type KeyPurpose } from "../../kernel/key-purpose.ts";
import { serverParticipantId } from "../../kernel/server-participant-id.ts";
import { addSeconds, epochSeconds } from "../../kernel/time/clock.ts";
import { maintainSigningKeys } from "../../oauth/keys/maintain-signing-keys.ts";
import { enterServerParticipant } from "../../oauth/keys/server-participant.ts";
import { kidOf, kidsByState, passPublicationTime, revoke, rotate } from "../../oauth/keys/signing-keys.fixture.ts";
import { serverMetadata } from "../../oauth/server-metadata.ts";
import { listParticipantKeys } from "../keys/find-keys.ts";
import { serverEntity, trustAnchor } from "./entities.ts";
import { serverSubordinate } from "./find-subordinates.ts";
import { signHistoricalKeys } from "./sign-historical-keys.ts";
import { signConfiguration, signSubordinateStatement } from "./sign-statements.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const purposes = ["federation_anchor", "federation_server"] as const satisfies readonly KeyPurpose[];
const worker = { kind: "system", id: "worker" } as const;
const jwksIn = (statement: string) => decodeJwt(statement)["jwks"] as JSONWebKeySet;
const currentDate = () => deps.clock.now();

const statements = async () => {
  const [anchor, server] = [await trustAnchor(deps), serverEntity(deps, serverMetadata(deps))];
  return {
    anchor: await signConfiguration(deps, anchor, null),
    server: await signConfiguration(deps, server, anchor),
    subordinate: await signSubordinateStatement(deps, {
      anchor,
      subject: serverSubordinate(deps, serverMetadata(deps)),
    }),
  };
};

/** Each statement is signed by a key in the next one (OpenID Federation 1.0, Trust Chain). */
const verifyChain = async ({ anchor, server, subordinate }: Awaited<ReturnType<typeof statements>>) => {
  const chain = [
    [server, jwksIn(server)],
    [server, jwksIn(subordinate)],
    [subordinate, jwksIn(anchor)],
    [anchor, jwksIn(anchor)],
  ] as const;
  const verified = chain.map(([statement, keys]) =>
    jwtVerify(statement, createLocalJWKSet(keys), { typ: "entity-statement+jwt", currentDate: currentDate() }),
  );
  await Promise.all(verified);
};

type HistoricalKey = JWK & { exp: number; iat: number; revoked?: { revoked_at: number } };
const historicalKeys = async (): Promise<HistoricalKey[]> => {
  const signed = await signHistoricalKeys(deps);
  const keys = createLocalJWKSet(jwksIn((await statements()).anchor));
  const { payload } = await jwtVerify(signed, keys, { typ: "jwk-set+jwt", currentDate: currentDate() });
  return payload["keys"] as HistoricalKey[];
};

describe("federation keys (docs/spec/directory.md, OpenID Federation)", () => {
  test("sign only federation statements, and are in no other key set", async () => {
    await deps.db.transaction((tx) => enterServerParticipant(deps, { tx, at: deps.clock.now(), actor: worker }));
    const federation = purposes.flatMap((purpose) => deps.keys.jwks(purpose).keys.map(({ kid }) => kid));
    expect(federation).toHaveLength(4);
    const listed = await listParticipantKeys(deps, { participantId: serverParticipantId, withRetired: true });
    const others = [...deps.keys.jwks().keys, ...deps.keys.jwks("directory").keys, ...listed.map(({ jwk }) => jwk)];
    expect(others.filter(({ kid }) => federation.includes(kid as string))).toEqual([]);
    await verifyChain(await statements());
  });

  test("are rotated only when every valid statement contains the next key, and then become historical keys", async () => {
    expect(await historicalKeys()).toEqual([]);
    const before = await statements();
    const { active, next } = await kidsByState(deps, "federation_anchor");
    passPublicationTime(deps);
    expect(await rotate(deps, "federation_anchor")).toMatchObject({ outcome: "requested", kid: next[0] });
    deps.clock.advance(federationStatementSeconds);
    await maintainSigningKeys(deps, worker);
    await deps.keys.refresh();
    expect(kidOf(deps, "federation_anchor")).toBe(next[0]);
    // A reader of the earlier configuration has this key, too.
    expect(jwksIn(before.anchor).keys.map(({ kid }) => kid)).toContain(next[0]);
    await verifyChain(await statements());
    const until = epochSeconds(addSeconds(deps.clock.now(), federationStatementSeconds));
    const [retired, ...others] = await historicalKeys();
    expect(others).toEqual([]);
    expect(retired).toMatchObject({ kid: active[0], kty: "EC", iat: expect.any(Number) });
    expect(retired?.exp).toBeGreaterThanOrEqual(until);
    expect(retired).not.toHaveProperty("revoked");
  });

  test("are in no statement after they are revoked, and are listed as historical keys with the time of revocation", async () => {
    const kid = kidOf(deps, "federation_anchor");
    await revoke(deps, kid);
    const now = epochSeconds(deps.clock.now());
    const after = await statements();
    expect(jwksIn(after.anchor).keys.map((key) => key.kid)).not.toContain(kid);
    await verifyChain(after);
    expect(await historicalKeys()).toContainEqual(
      expect.objectContaining({ kid, exp: now, revoked: { revoked_at: now } }),
    );
  });
});
