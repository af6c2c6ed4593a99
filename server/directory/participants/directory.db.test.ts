import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeAgentClient, makeMerchant } from "#e2e/support/factories.ts";
import { makeKey } from "#e2e/support/oauth/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { Outbound } from "../../deps/outbound.ts";
import { isDomainError, isOAuthError } from "../../kernel/errors.ts";
import { serverParticipantId } from "../../kernel/server-participant-id.ts";
import { setSuspension } from "../../merchants/set-suspension.ts";
import { authenticateRegistration } from "../../oauth/clients/authenticate-registration.ts";
import { deleteClient } from "../../oauth/clients/delete-client.ts";
import { registerClient } from "../../oauth/clients/register-client.ts";
import type { RegistrationResponse } from "../../oauth/clients/registration-response.ts";
import { createAgentToken, listAgentTokens } from "../../oauth/initial-tokens/agent-tokens.ts";
import { createInitialAccessToken } from "../../oauth/initial-tokens/create-initial-access-token.ts";
import { enterServerParticipant } from "../../oauth/keys/server-participant.ts";
import { serverEntry } from "../../oauth/server-entry.ts";
import { createOutbound, OutboundError } from "../../platform/outbound/outbound.ts";
import { claimDomain, giveUpDomain } from "../domains/claim-domain.ts";
import { verifyDomain } from "../domains/verify-domain.ts";
import { editParticipant } from "./edit-participant.ts";
import { getParticipant, listParticipantHistory } from "./find-participant.ts";
import { listParticipants } from "./list-participants.ts";
import { toDocument } from "./participant.wire.ts";

// e2e/http/directory.test.ts tests the HTTP answers. This file tests races, and the answers of a domain's own server.

/** What each domain publishes. No other requests are expected. */
const published = new Map<string, object>();
const web: Outbound = {
  urlProblem: () => null,
  async request({ url }) {
    const document = published.get(url);
    if (!document) throw new OutboundError("unreachable", "nothing answers");
    return {
      status: 200,
      headers: { "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(document)),
    };
  },
};

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps({ outbound: web });
});
afterAll(() => deps.close());

const info = { requestId: "req_test", ipAddress: "", userAgent: "" };
const operator = { actor: { kind: "operator", id: "acc_test" }, requestId: "req_test" } as const;

const register = async (extra: object, token?: string): Promise<RegistrationResponse> => {
  const metadata = { jwks: { keys: [(await makeKey()).publicJwk] }, ...extra };
  return registerClient(deps, { metadata, authorization: token === undefined ? null : `Bearer ${token}`, info });
};
const agent = (token?: string) =>
  register({ client_name: "Grocer Bot", grant_types: ["client_credentials"], scope: "directory.write" }, token);

const participantOf = async (clientId: string): Promise<string> => {
  const { participants } = await listParticipants(deps, { q: clientId, limit: 2 });
  expect(participants).toHaveLength(1);
  return participants[0]?.id ?? "";
};

const makeOwn = async () => {
  const clientId = (await agent()).client_id;
  return { clientId, participantId: await participantOf(clientId), requestId: "req_test" };
};
const context = () => ({ server: () => serverEntry(deps) });
type Own = Awaited<ReturnType<typeof makeOwn>>;

const read = async (id: string) => {
  const participant = await getParticipant(deps, { id, server: () => serverEntry(deps) });
  return { etag: toDocument(participant).etag, ...participant };
};
const changesOf = async (id: string) =>
  (await listParticipantHistory(deps, { id, before: null, limit: 100 })).versions.map(({ change }) => change);
const auditOf = (subjectId: string) =>
  deps.db.prisma.$queryRaw<{ action: string; actorId: string }[]>`
    SELECT action, actor_id AS "actorId" FROM audit_entry WHERE subject_id = ${subjectId} ORDER BY seq`;

/** "done", or the code of the refusal. Other errors are thrown. */
const outcomeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "done",
    (error: unknown) => {
      if (isDomainError(error)) return error.code;
      if (isOAuthError(error)) return error.description;
      throw error;
    },
  );
const tally = (outcomes: readonly string[]) =>
  Object.fromEntries([...new Set(outcomes)].map((one) => [one, outcomes.filter((other) => other === one).length]));

const publish = async (own: Own) => {
  const domain = `shop-${published.size}.example`;
  const { claim } = await claimDomain(deps, { ...own, domain });
  published.set(`https://${domain}/.well-known/paygrant-participants.json`, { [own.participantId]: claim.token });
  return domain;
};
const verified = async (): Promise<Own> => {
  const own = await makeOwn();
  await verifyDomain(deps, { ...own, domain: await publish(own) });
  return own;
};

describe("registration creates a participant (docs/spec/directory.md, Participants)", () => {
  test("a merchant's clients share one entry, even if many register concurrently", async () => {
    const { id: merchantId } = await makeMerchant(deps);
    const { token } = await createInitialAccessToken(deps, { kind: "merchant", merchantId, uses: 7, ...operator });
    const metadata = { client_name: "Checkout", grant_types: ["client_credentials"], scope: "charges.read" };
    const clients = await Promise.all(Array.from({ length: 6 }, () => register(metadata, token)));
    const ids = await Promise.all(clients.map((client) => participantOf(client.client_id)));
    expect(new Set(ids).size).toBe(1);
    const entry = await read(ids[0] ?? "");
    expect(entry).toMatchObject({
      roles: ["merchant"],
      merchant_id: merchantId,
      display_name: "Fresh Market",
      legal_name: "Fresh Market Ltd",
      status: "pending",
      version: 6,
      capabilities: { grant_types: ["client_credentials"] },
    });
    deps.clock.advance(60);
    await register(metadata, token);
    expect((await read(entry.id)).updated_at).toBe(deps.clock.now().toISOString());
    const suspend = (isSuspended: boolean) =>
      setSuspension(deps, { merchantId, isSuspended, reason: "Nobody answers", ...operator });
    await suspend(true);
    expect((await read(entry.id)).status).toBe("suspended");
    await suspend(false);
    expect(await changesOf(entry.id)).toEqual([
      "resumed",
      "suspended",
      ...Array.from({ length: 6 }, () => "client_registered"),
      "registered",
    ]);
  });

  test("an agent has its own entry, which is withdrawn with its last client", async () => {
    const made = await agent();
    const id = await participantOf(made.client_id);
    expect(await read(id)).toMatchObject({ roles: ["client"], merchant_id: null, display_name: "Grocer Bot" });
    const authorization = `Bearer ${made.registration_access_token}`;
    const caller = await authenticateRegistration(deps, { clientId: made.client_id, authorization, info });
    await deleteClient(deps, { caller, info });
    expect((await read(id)).status).toBe("withdrawn");
    expect(await changesOf(id)).toEqual(["withdrawn", "registered"]);
  });

  test("the authorization server gets one entry with its capabilities, even if several processes create it", async () => {
    const actor = { kind: "system", id: "test" } as const;
    const enter = () => deps.db.transaction((tx) => enterServerParticipant(deps, { tx, at: deps.clock.now(), actor }));
    await Promise.all([enter(), enter(), enter()]);
    expect(await read(serverParticipantId)).toMatchObject({
      roles: ["authorization_server"],
      status: "active",
      environment: "sandbox",
      metadata_documents: expect.arrayContaining([
        `${deps.config.baseUrl}/.well-known/oauth-authorization-server`,
        `${deps.config.baseUrl}/.well-known/oauth-protected-resource/directory`,
      ]),
      capabilities: {
        pushed_authorization_requests: true,
        authorization_details_types: ["payment_mandate_v1"],
        limits: {
          max_charge_amounts: [],
          authorization_details: { max_items: 10, max_amount: 99_999_999_999 },
          request_uri_lifetime_seconds: 300,
          client_rate_limit: { requests: 2000, seconds: 20 },
        },
      },
    });
    expect(await changesOf(serverParticipantId)).toEqual(["registered"]);
  });
});

describe("editing an entry", () => {
  const edit = {
    displayName: "Grocer",
    legalName: null,
    websiteUri: null,
    logoUri: null,
    contacts: [],
    metadataUris: [],
    maxChargeAmounts: [],
    isWithdrawn: false,
  };

  test("accepts one of ten concurrent edits of the same version; the others are refused and change nothing", async () => {
    const own = await makeOwn();
    const { etag } = await read(own.participantId);
    const attempts = Array.from({ length: 10 }, (_, index) =>
      outcomeOf(
        editParticipant(deps, {
          ...own,
          ...context(),
          hasRead: (present: string) => present === etag,
          edit: { ...edit, displayName: `Grocer ${index}` },
        }),
      ),
    );
    const outcomes = await Promise.all(attempts);
    expect(tally(outcomes)).toEqual({ done: 1, precondition_failed: 9 });
    const after = await read(own.participantId);
    expect(after).toMatchObject({ display_name: `Grocer ${outcomes.indexOf("done")}`, version: 2 });
    expect(await changesOf(own.participantId)).toEqual(["edited", "registered"]);
    expect(await auditOf(own.participantId)).toEqual([{ action: "participant.edited", actorId: own.clientId }]);
  });

  test("is refused for another participant's client, a client without a participant, and a deleted client", async () => {
    const [own, other] = [await makeOwn(), await makeOwn()];
    const unrelated = await makeAgentClient(deps);
    const by = (clientId: string) =>
      outcomeOf(editParticipant(deps, { ...own, ...context(), clientId, edit, hasRead: () => true }));
    for (const clientId of [other.clientId, unrelated.id, "cl_test_unknown"]) {
      expect(await by(clientId)).toBe("not_own_participant");
    }
    const where = { id: own.clientId };
    await deps.db.prisma.client.update({ where, data: { deletedAt: deps.clock.now() } });
    expect(await by(own.clientId)).toBe("not_own_participant");
    expect(await changesOf(own.participantId)).toEqual(["registered"]);
  });

  test("can withdraw it and list it again; a withdrawn participant can't claim domains", async () => {
    const own = await makeOwn();
    const withdraw = (isWithdrawn: boolean) =>
      editParticipant(deps, { ...own, ...context(), edit: { ...edit, isWithdrawn }, hasRead: () => true });
    await withdraw(true);
    expect((await read(own.participantId)).status).toBe("withdrawn");
    expect(await outcomeOf(claimDomain(deps, { ...own, domain: "late.example" }))).toBe("participant_withdrawn");
    await withdraw(false);
    expect(await changesOf(own.participantId)).toEqual(["listed_again", "withdrawn", "registered"]);
  });
});

describe("a domain (docs/spec/directory.md, Domains)", () => {
  test("keeps its token when claimed again; verification makes the participant active once, even for concurrent requests", async () => {
    const own = await makeOwn();
    const domain = await publish(own);
    const again = await claimDomain(deps, { ...own, domain });
    expect(again.isNew).toBe(false);
    const answers = await Promise.all(Array.from({ length: 5 }, () => verifyDomain(deps, { ...own, domain })));
    expect(new Set(answers.map(({ verifiedAt }) => verifiedAt.getTime())).size).toBe(1);
    expect(await read(own.participantId)).toMatchObject({ status: "active", verified_domains: [{ domain }] });
    expect(await changesOf(own.participantId)).toEqual(["domain_verified", "registered"]);
    await giveUpDomain(deps, { ...own, domain });
    expect(await read(own.participantId)).toMatchObject({ status: "pending", verified_domains: [] });
  });

  test("isn't verified by another token, by a missing file, or without a claim", async () => {
    const [own, other] = [await makeOwn(), await makeOwn()];
    const domain = await publish(own);
    await claimDomain(deps, { ...other, domain });
    await claimDomain(deps, { ...own, domain: "silent.example" });
    const ask = (by: Own, at: string) => outcomeOf(verifyDomain(deps, { ...by, domain: at }));
    expect(await ask(other, domain)).toBe("domain_not_proved");
    expect(await ask(own, "silent.example")).toBe("domain_not_proved");
    expect(await ask(own, "unclaimed.example")).toBe("domain_not_claimed");
    expect(await ask({ ...other, participantId: own.participantId }, domain)).toBe("not_own_participant");
    expect((await read(other.participantId)).status).toBe("pending");
  });

  test("is never requested if its address is in our own network", async () => {
    const own = await makeOwn();
    const domain = await publish(own);
    const dialled: string[] = [];
    const guarded = createOutbound({
      allowLoopback: true,
      resolve: async () => ["10.0.0.7"],
      dial: async ({ address }) => {
        dialled.push(address);
        throw new Error("dialled");
      },
    });
    expect(await outcomeOf(verifyDomain({ ...deps, outbound: guarded }, { ...own, domain }))).toBe("domain_not_proved");
    expect(dialled).toEqual([]);
  });

  test("can't be claimed by a participant that has claimed twenty domains", async () => {
    const own = await makeOwn();
    const claims = Array.from({ length: 25 }, (_, index) =>
      outcomeOf(claimDomain(deps, { ...own, domain: `many-${index}.example` })),
    );
    expect(tally(await Promise.all(claims))).toEqual({ done: 20, too_many_domains: 5 });
  });
});

describe("initial access tokens of verified participants (docs/spec/oauth.md, Client registration)", () => {
  test("require a verified domain; agents that register with such a token belong to the token's creator; the token limits scopes and uses", async () => {
    expect(await outcomeOf(createAgentToken(deps, { ...(await makeOwn()), options: {} }))).toBe(
      "participant_not_verified",
    );
    const own = await verified();
    const { id, token } = await createAgentToken(deps, { ...own, options: { uses: 2 } });
    expect(await outcomeOf(agent(token))).toBe("scope: contains a scope that this client can't have");
    const metadata = { client_name: "Own bot", grant_types: ["client_credentials"], scope: "grant_management_query" };
    const registered = await Promise.all(Array.from({ length: 4 }, () => outcomeOf(register(metadata, token))));
    expect(tally(registered)).toEqual({ done: 2, "the initial access token has been used up": 2 });
    const clients = await deps.db.prisma.client.findMany({ where: { initialAccessTokenId: id } });
    expect(clients.map(({ participantId }) => participantId)).toEqual([own.participantId, own.participantId]);
    expect((await read(own.participantId)).version).toBe(4);
    expect(await auditOf(id)).toEqual([{ action: "initial_access_token.created", actorId: own.clientId }]);
  });

  test("are invalid while their creator isn't active, for any reason", async () => {
    const own = await verified();
    const { token } = await createAgentToken(deps, { ...own, options: { scopes: ["directory.write"] } });
    const words = "the participant that created the initial access token is not active in the directory";
    const { participantId: id } = own;
    await deps.db.prisma.participant.update({ where: { id }, data: { withdrawnAt: deps.clock.now() } });
    expect(await outcomeOf(agent(token))).toBe(words);
    await deps.db.prisma.participant.update({ where: { id }, data: { withdrawnAt: null } });
    const { domain = "" } = (await deps.db.prisma.participantDomain.findFirst({ where: { participantId: id } })) ?? {};
    await giveUpDomain(deps, { ...own, domain });
    expect(await outcomeOf(agent(token))).toBe(words);
    await verifyDomain(deps, { ...own, domain: await publish(own) });
    expect(await participantOf((await agent(token)).client_id)).toBe(id);
  });

  test("are listed newest first, in pages in both directions; another participant's token isn't a valid cursor", async () => {
    const [own, other] = [await verified(), await verified()];
    const { id: foreign } = await createAgentToken(deps, { ...other, options: {} });
    const ids: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      deps.clock.advance(1);
      ids.unshift((await createAgentToken(deps, { ...own, options: {} })).id);
    }
    const page = async (cursor: { startingAfter?: string; endingBefore?: string }) => {
      const page = { ...own, limit: 2, startingAfter: null, endingBefore: null, ...cursor };
      const { tokens, hasMore } = await listAgentTokens(deps, page);
      return [...tokens.map(({ id }) => ids.indexOf(id)), hasMore];
    };
    expect(await page({})).toEqual([0, 1, true]);
    expect(await page({ startingAfter: String(ids[1]) })).toEqual([2, 3, false]);
    expect(await page({ endingBefore: String(ids[3]) })).toEqual([1, 2, true]);
    expect(await page({ endingBefore: String(ids[1]) })).toEqual([0, false]);
    expect(await outcomeOf(page({ endingBefore: foreign }))).toBe(await outcomeOf(page({ endingBefore: "iat_none" })));
  });

  test("are limited to twenty usable ones per participant, even under concurrent requests", async () => {
    const own = await verified();
    const wishes = Array.from({ length: 23 }, () => outcomeOf(createAgentToken(deps, { ...own, options: {} })));
    expect(tally(await Promise.all(wishes))).toEqual({ done: 20, too_many_tokens: 3 });
    deps.clock.advance(25 * 3600);
    expect(await outcomeOf(createAgentToken(deps, { ...own, options: {} }))).toBe("done");
  });
});
