import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey } from "#e2e/support/oauth/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { claimEntityCheck, recordFailedEntityCheck } from "../../data/directory/federation-entities.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { addSeconds, epochSeconds } from "../../kernel/time/clock.ts";
import { registerClient } from "../../oauth/clients/register-client.ts";
import { serverEntry } from "../../oauth/server-entry.ts";
import { serverMetadata } from "../../oauth/server-metadata.ts";
import { OutboundError } from "../../platform/outbound/outbound.ts";
import { getParticipant } from "../participants/find-participant.ts";
import { readEntityConfiguration } from "../rules/federation/entity-configuration.ts";
import { anchorSigner, trustAnchor } from "./entities.ts";
import { configurationOf, makeFederationKey } from "./entity.fixture.ts";
import { findOwnEntity } from "./find-own-entity.ts";
import { findPublicEntity } from "./find-public-entity.ts";
import { findSubordinate, listSubordinates } from "./find-subordinates.ts";
import { recheckEntities } from "./recheck-entities.ts";
import { registerFederationEntity, removeFederationEntity } from "./register-entity.ts";
import { resolveEntity } from "./resolve-entity.ts";
import { signConfiguration, signSubordinateStatement } from "./sign-statements.ts";

/** What the hosts of entities return, by URL. Other hosts can't be reached. */
const published = new Map<string, string>();
let type = "application/entity-statement+jwt";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({
    outbound: {
      urlProblem: () => null,
      async request({ url }) {
        const body = published.get(url);
        if (body === undefined) throw new OutboundError("unreachable", "no such host");
        return { status: 200, headers: { "content-type": type }, body: Buffer.from(body) };
      },
    },
  });
});
afterAll(() => deps.close());

const keys = [makeFederationKey("first"), makeFederationKey("second")] as const;
const requestId = "req_test";
let made = 0;

/** A participant with a verified domain, and an entity below it. */
const makeParticipant = async () => {
  const { client_id: clientId } = await registerClient(deps, {
    metadata: {
      client_name: "Grocer Bot",
      grant_types: ["client_credentials"],
      scope: "directory.write",
      jwks: { keys: [(await makeKey()).publicJwk] },
    },
    authorization: null,
    info: { requestId, ipAddress: "", userAgent: "" },
  });
  const client = await deps.db.prisma.client.findUniqueOrThrow({ where: { id: clientId } });
  const participantId = client.participantId ?? "";
  const domain = `shop-${++made}.example`;
  const at = deps.clock.now();
  const claim = { participantId, domain, token: "token", claimedAt: at, verifiedAt: at, provedAt: at };
  await deps.db.prisma.participantDomain.create({ data: claim });
  return { participantId, clientId, domain, requestId, entityId: `https://id.${domain}` };
};
type Made = Awaited<ReturnType<typeof makeParticipant>>;

const publish = ({ entityId }: { entityId: string }, wish: Parameters<typeof configurationOf>[1] = { keys }) => {
  const expected = { entityId, anchorId: deps.config.discoveryUrl, nowSeconds: epochSeconds(deps.clock.now()) };
  published.set(`${entityId}/.well-known/openid-federation`, configurationOf(expected, wish));
};

const registered = async (): Promise<Made> => {
  const own = await makeParticipant();
  publish(own);
  await registerFederationEntity(deps, own);
  return own;
};

const refusalOf = (own: Parameters<typeof registerFederationEntity>[1]): Promise<unknown> =>
  registerFederationEntity(deps, own).then(
    () => null,
    (error: unknown) => {
      if (isDomainError(error)) return error.code;
      throw error;
    },
  );
const find = (sub: string) => findSubordinate(deps, { sub, serverMetadata: serverMetadata(deps) });
const changesOf = async ({ participantId }: Made) => {
  const rows = await deps.db.prisma.participantVersion.findMany({
    where: { participantId },
    orderBy: { version: "asc" },
  });
  return rows.map(({ change }) => change);
};
const entityIn = async ({ participantId }: Made) => {
  const rows = await deps.db.prisma.participantVersion.findMany({
    where: { participantId },
    orderBy: { version: "desc" },
    take: 1,
  });
  const document = rows[0]?.document ?? {};
  return (document as Record<string, unknown>)["federation_entity"];
};

describe("an entity that a participant registered (docs/spec/directory.md, OpenID Federation)", () => {
  test("is a subordinate with its federation keys, and the keys of the participant's clients are in its metadata", async () => {
    const own = await registered();
    const anchor = await trustAnchor(deps);
    const subject = await find(own.entityId);
    if (!subject) throw new Error("no subordinate");
    const statement = decodeJwt(await signSubordinateStatement(deps, { anchor, subject }));
    expect(statement).toMatchObject({ iss: anchor.id, sub: own.entityId, jwks: { keys: keys.map(({ jwk }) => jwk) } });
    const stated = statement["metadata"] as { oauth_client: { jwks: JSONWebKeySet } };
    const { keys: protocolKeys } = stated.oauth_client.jwks;
    expect(protocolKeys).toHaveLength(1);
    expect(protocolKeys[0]).not.toHaveProperty("d");
    expect(keys.map(({ jwk }) => jwk["x"])).not.toContain(protocolKeys[0]?.["x"]);
    expect(await entityIn(own)).toMatchObject({
      entity_id: own.entityId,
      key_thumbprints: [expect.any(String), expect.any(String)],
    });
    expect((await changesOf(own)).at(-1)).toBe("federation_registered");
  });

  test("is resolved with a valid trust chain, which expires together with the first statement in it", async () => {
    const own = await makeParticipant();
    const exp = epochSeconds(deps.clock.now()) + 600;
    publish(own, { keys, claims: { exp } });
    await registerFederationEntity(deps, own);
    const input = { sub: own.entityId, trustAnchors: [deps.config.discoveryUrl], entityTypes: [] };
    const resolved = decodeJwt(await resolveEntity(deps, { ...input, serverMetadata: serverMetadata(deps) }));
    expect(resolved).toMatchObject({ exp, metadata: { oauth_client: { client_name: "Grocer Bot", jwks: {} } } });
    const chain = resolved["trust_chain"] as string[];
    expect(chain).toHaveLength(3);
    const options = { typ: "entity-statement+jwt", currentDate: deps.clock.now() };
    for (const [index, statement] of chain.entries()) {
      const superior = decodeJwt(chain[index + 1] ?? statement)["jwks"] as JSONWebKeySet;
      await jwtVerify(statement, createLocalJWKSet(superior), options);
    }
  });

  test("is listed if the request filters by its entity types", async () => {
    const own = await registered();
    const list = (entityTypes: string[], intermediate = false) =>
      listSubordinates(deps, { entityTypes, intermediate, serverMetadata: serverMetadata(deps) });
    expect(await list([])).toEqual(expect.arrayContaining([deps.config.baseUrl, own.entityId]));
    expect(await list(["oauth_client"])).toContain(own.entityId);
    expect(await list(["oauth_client", "oauth_authorization_server"])).toEqual([]);
    expect(await list([], true)).toEqual([]);
    expect(await list(["\u0000"])).toEqual([]);
    expect(await find("https://shop.example/\u0000")).toBeNull();
  });

  test("leaves the federation when it is removed, when its configuration expires, and when its domain is no longer verified", async () => {
    const own = await registered();
    await removeFederationEntity(deps, own);
    expect(await find(own.entityId)).toBeNull();
    expect(await entityIn(own)).toBeNull();
    await expect(removeFederationEntity(deps, own)).rejects.toMatchObject({ code: "federation_entity_not_found" });
    await registerFederationEntity(deps, own);
    expect(await find(own.entityId)).not.toBeNull();
    await deps.db.prisma.participantDomain.updateMany({ where: { domain: own.domain }, data: { verifiedAt: null } });
    expect(await find(own.entityId)).toBeNull();

    const other = await registered();
    deps.clock.advance(24 * 3600);
    expect(await find(other.entityId)).toBeNull();
  });

  test("isn't a subordinate if its host ends like a verified domain but isn't below it", async () => {
    const own = await registered();
    const at = deps.clock.now();
    const near = { participantId: own.participantId, token: "t", claimedAt: at, verifiedAt: at };
    await deps.db.prisma.participantDomain.create({ data: { ...near, domain: own.domain.slice(2) } });
    await deps.db.prisma.participantDomain.updateMany({ where: { domain: own.domain }, data: { verifiedAt: null } });
    expect(await find(own.entityId)).toBeNull();
  });
});

describe("a registration is refused", () => {
  test("for a host that isn't on a verified domain, naming the field", async () => {
    const own = await makeParticipant();
    const hosts = ["https://other.example", `https://x${own.domain}`, `http://id.${own.domain}`, "nonsense"];
    for (const entityId of hosts) {
      await expect(registerFederationEntity(deps, { ...own, entityId })).rejects.toMatchObject({
        code: "invalid_request",
        errors: [{ pointer: "/entity_id" }],
      });
    }
  });

  test("without a verified domain, for another participant's entity, and for the service itself", async () => {
    const [own, other] = [await registered(), await makeParticipant()];
    const at = deps.clock.now();
    const second = {
      participantId: other.participantId,
      domain: own.domain,
      token: "t",
      claimedAt: at,
      verifiedAt: at,
    };
    await deps.db.prisma.participantDomain.create({ data: second });
    expect(await refusalOf({ ...other, entityId: own.entityId })).toBe("federation_entity_taken");
    expect(await refusalOf({ ...other, entityId: deps.config.baseUrl })).toBe("federation_entity_taken");
    await deps.db.prisma.participantDomain.deleteMany({ where: { participantId: other.participantId } });
    expect(await refusalOf(other)).toBe("participant_not_verified");
    expect((await find(own.entityId))?.id).toBe(own.entityId);
  });

  test("if another participant has it, unless that participant lost the domain or is withdrawn", async () => {
    const [former, next, last] = [await registered(), await makeParticipant(), await makeParticipant()];
    const { entityId, domain } = former;
    const at = deps.clock.now();
    for (const { participantId } of [next, last]) {
      const claim = { participantId, domain, token: "t", claimedAt: at, verifiedAt: at };
      await deps.db.prisma.participantDomain.create({ data: claim });
    }
    expect(await refusalOf({ ...next, entityId })).toBe("federation_entity_taken");
    await deps.db.prisma.participantDomain.updateMany({
      where: { participantId: former.participantId, domain },
      data: { verifiedAt: null },
    });
    expect(await Promise.all([refusalOf({ ...next, entityId }), refusalOf({ ...next, entityId })])).toEqual([
      null,
      null,
    ]);
    expect((await find(entityId))?.id).toBe(entityId);
    expect(await findOwnEntity(deps, former.participantId)).toBeNull();
    expect(await findOwnEntity(deps, next.participantId)).toMatchObject({ entityId, isSubordinate: true });
    expect((await changesOf(former)).at(-1)).toBe("federation_removed");
    expect(await entityIn(former)).toBeNull();
    const audited = await deps.db.prisma.$queryRaw<{ data: object }[]>`
      SELECT data FROM audit_entry WHERE subject_id = ${former.participantId} AND action = 'participant.federation_left'`;
    expect(audited).toMatchObject([{ data: { entity_id: entityId } }]);

    expect(await refusalOf({ ...last, entityId })).toBe("federation_entity_taken");
    await deps.db.prisma.participant.update({ where: { id: next.participantId }, data: { withdrawnAt: at } });
    expect(await refusalOf({ ...last, entityId })).toBeNull();
    expect(await findOwnEntity(deps, next.participantId)).toBeNull();
  });

  test("if the configuration is missing, has another type, or isn't valid; the earlier configuration is kept", async () => {
    const own = await registered();
    published.delete(`${own.entityId}/.well-known/openid-federation`);
    expect(await refusalOf(own)).toBe("federation_configuration_invalid");
    publish(own);
    type = "application/json";
    expect(await refusalOf(own)).toBe("federation_configuration_invalid");
    type = "application/entity-statement+jwt";
    publish(own, { keys, claims: { authority_hints: [] } });
    expect(await refusalOf(own)).toBe("federation_configuration_invalid");
    expect(await find(own.entityId)).not.toBeNull();
  });
});

describe("the hourly fetch", () => {
  const recheck = async () => {
    deps.clock.advance(3600);
    await Promise.all([1, 2].map(() => recheckEntities(deps, { limit: 100, requestId })));
  };

  test("accepts keys that a known key signed, and records a change of the participant", async () => {
    const own = await registered();
    const contact = `owner@${own.domain}`;
    const { participantId } = own;
    await deps.db.prisma.participant.update({ where: { id: participantId }, data: { contacts: [contact] } });
    const third = makeFederationKey("third");
    publish(own, { keys: [keys[1], third] });
    await recheck();
    expect((await changesOf(own)).filter((change) => change === "federation_keys_changed")).toHaveLength(1);
    const subject = await find(own.entityId);
    expect(subject?.jwks).toEqual({ keys: [keys[1].jwk, third.jwk] });
    await recheck();
    expect((await changesOf(own)).filter((change) => change === "federation_keys_changed")).toHaveLength(1);
    const mails = await deps.db.prisma.mail.findMany({ where: { recipient: contact } });
    expect(mails.map(({ kind }) => kind)).toEqual(["federation_keys_changed"]);
    expect(mails[0]?.text).toContain(`Entity: ${own.entityId}\nNumber of keys: 2\n`);
    expect(mails[0]?.text).toContain(`${deps.config.discoveryUrl}/${participantId}`);
  });

  test("leaves out a host that is no longer on a verified domain, until the domain is verified again", async () => {
    const own = await registered();
    const { participantId, domain } = own;
    const fetchedAt = deps.clock.now();
    const setVerified = (verifiedAt: Date | null) =>
      deps.db.prisma.participantDomain.updateMany({ where: { participantId, domain }, data: { verifiedAt } });
    await setVerified(null);
    await recheck();
    expect(await findOwnEntity(deps, participantId)).toMatchObject({ fetchedAt, problem: null });
    await setVerified(deps.clock.now());
    await recheck();
    expect(await findOwnEntity(deps, participantId)).toMatchObject({ fetchedAt: deps.clock.now() });
    await deps.db.prisma.participant.update({ where: { id: participantId }, data: { withdrawnAt: deps.clock.now() } });
    const last = deps.clock.now();
    await recheck();
    expect(await findOwnEntity(deps, participantId)).toMatchObject({ fetchedAt: last });
  });

  test("refuses a configuration that no known key signed, until the participant registers it", async () => {
    const own = await registered();
    const stranger = makeFederationKey("stranger");
    publish(own, { keys: [stranger, keys[0]] });
    await recheck();
    expect((await find(own.entityId))?.jwks).toEqual({ keys: keys.map(({ jwk }) => jwk) });
    await registerFederationEntity(deps, own);
    expect((await find(own.entityId))?.jwks).toEqual({ keys: [stranger.jwk, keys[0].jwk] });
  });
});

describe("an entity whose configuration can't be verified any more", () => {
  const recheckAfter = async (seconds: number) => {
    deps.clock.advance(seconds);
    await Promise.all([1, 2].map(() => recheckEntities(deps, { limit: 100, requestId })));
  };
  const withContact = async () => {
    const own = await registered();
    const contact = `owner@${own.domain}`;
    await deps.db.prisma.participant.update({ where: { id: own.participantId }, data: { contacts: [contact] } });
    const mails = () => deps.db.prisma.mail.findMany({ where: { recipient: contact } });
    return { own, mails, entity: () => findOwnEntity(deps, own.participantId) };
  };

  test("leaves the federation when its last verified configuration expires; the owner gets one e-mail each time this happens", async () => {
    const { own, mails, entity } = await withContact();
    expect(await entity()).toMatchObject({ isSubordinate: true, isExpired: false, problem: null });
    published.delete(`${own.entityId}/.well-known/openid-federation`);
    await recheckAfter(3600);
    const fetchedAt = deps.clock.now();
    expect(await entity()).toMatchObject({
      isSubordinate: true,
      fetchedAt,
      problem: expect.stringContaining("no public IP address"),
    });
    expect(await mails()).toEqual([]);
    const { validUntil } = await deps.db.prisma.participantFederationEntity.findUniqueOrThrow({
      where: { participantId: own.participantId },
    });
    await recheckAfter((validUntil.getTime() - deps.clock.now().getTime()) / 1000);
    await recheckAfter(3600);
    expect(await entity()).toMatchObject({ isSubordinate: false, isExpired: true });
    const [mail, ...others] = await mails();
    expect([mail?.kind, others]).toEqual(["federation_left", []]);
    expect(mail?.text).toContain(`Entity: ${own.entityId}\nProblem: The host has no public IP address that responds.`);
    const audited = await deps.db.prisma.$queryRaw<{ data: object }[]>`
      SELECT data FROM audit_entry WHERE subject_id = ${own.participantId} AND action = 'participant.federation_left'`;
    expect(audited).toMatchObject([{ data: { entity_id: own.entityId } }]);

    publish(own);
    await recheckAfter(3600);
    expect(await entity()).toMatchObject({ isSubordinate: true, isExpired: false, problem: null });
    published.delete(`${own.entityId}/.well-known/openid-federation`);
    await recheckAfter(73 * 3600);
    await recheckAfter(3600);
    expect((await mails()).map(({ kind }) => kind)).toEqual(["federation_left", "federation_left"]);
  });

  test("shows a problem if all its keys are new, until it is registered again", async () => {
    const { own, mails, entity } = await withContact();
    publish(own, { keys: [makeFederationKey("stranger")] });
    await recheckAfter(3600);
    expect(await entity()).toMatchObject({ isSubordinate: true, problem: expect.stringContaining("No known key") });
    await registerFederationEntity(deps, own);
    expect(await entity()).toMatchObject({ isSubordinate: true, problem: null, fetchedAt: deps.clock.now() });
    expect(await mails()).toEqual([]);
  });

  test("shows a problem if its configuration contains text that can't be stored; other entities are still fetched", async () => {
    const [{ own, entity }, other] = [await withContact(), await withContact()];
    publish(own, { keys, claims: { metadata: { "a\0b": {} } } });
    published.delete(`${other.own.entityId}/.well-known/openid-federation`);
    await recheckAfter(3600);
    expect(await entity()).toMatchObject({ isSubordinate: true, problem: expect.stringContaining("NUL") });
    expect(await other.entity()).toMatchObject({ problem: expect.stringContaining("no public IP address") });
  });

  test("causes no e-mail if it was removed during the check", async () => {
    const { own, mails, entity } = await withContact();
    deps.clock.advance(80 * 3600);
    const at = deps.clock.now();
    const claim = () => claimEntityCheck(deps.db.sql, at, addSeconds(at, 60));
    let check = await claim();
    while (check && check.participantId !== own.participantId) check = await claim();
    if (!check) throw new Error("the entity isn't due");
    await removeFederationEntity(deps, own);
    expect(await recordFailedEntityCheck(deps.db.sql, check, { problem: "Gone.", at, dueAt: at })).toBe(false);
    expect([await entity(), await mails()]).toEqual([null, []]);
  });
});

describe("the public page of a participant", () => {
  const entityOf = async (id: string) =>
    findPublicEntity(deps, await getParticipant(deps, { id, server: () => serverEntry(deps) }));

  test("names its entity, and the trust anchor while the entity is a subordinate", async () => {
    const own = await makeParticipant();
    expect(await entityOf(own.participantId)).toBeNull();
    publish(own);
    await registerFederationEntity(deps, own);
    const entity = { id: own.entityId, configurationUrl: `${own.entityId}/.well-known/openid-federation` };
    const id = deps.config.discoveryUrl;
    const trustAnchor = { id, configurationUrl: `${id}/.well-known/openid-federation` };
    expect(await entityOf(own.participantId)).toEqual({ ...entity, trustAnchor });
    const { participantId } = own;
    await deps.db.prisma.participantDomain.updateMany({ where: { participantId }, data: { verifiedAt: null } });
    expect(await entityOf(participantId)).toEqual({ ...entity, trustAnchor: null });
  });
});

test("the server's own configuration passes the rules for participants", async () => {
  const { baseUrl: entityId, discoveryUrl: anchorId } = deps.config;
  const server = { id: entityId, keyPurpose: "federation_server", metadata: {} } as const;
  const text = await signConfiguration(deps, server, anchorSigner(deps));
  const nowSeconds = epochSeconds(deps.clock.now());
  expect(readEntityConfiguration(text, { entityId, anchorId, nowSeconds })).not.toHaveProperty("problem");
});
