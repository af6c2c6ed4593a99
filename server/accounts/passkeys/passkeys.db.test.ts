import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makePayer } from "#e2e/support/factories.ts";
import { type Authenticator, makeAuthenticator } from "#e2e/support/oauth/authenticator.ts";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { searchAudit } from "../../audit/search-audit.ts";
import { serverMetadata } from "../../oauth/server-metadata.ts";
import { sessionCookie } from "../rules/session-cookie.ts";
import { findSession, type SessionContext } from "../sessions/find-session.ts";
import { openSession, passwordAcr } from "../sessions/sessions.ts";
import { beginPasskeySignIn } from "../sign-in/begin-passkey-sign-in.ts";
import { signIn as signInByPassword } from "../sign-in/sign-in.ts";
import { signInByPasskey } from "../sign-in/sign-in-by-passkey.ts";
import { addPasskey } from "./add-passkey.ts";
import { beginAddingPasskey } from "./begin-adding-passkey.ts";
import { beginPasskeyConfirmation } from "./begin-passkey-confirmation.ts";
import { confirmPasskey } from "./confirm-passkey.ts";
import { listPasskeys } from "./list-passkeys.ts";
import { removePasskey } from "./remove-passkey.ts";
import { renamePasskey } from "./rename-passkey.ts";

let deps: TestDeps;
const info = { requestId: "req_test", ipAddress: "203.0.113.9", userAgent: "Vitest" };
const { requestId } = info;
const origin = "https://wallet.test";

beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

type Person = SessionContext & { cookie: string };

/** Signed in by password. */
const makePerson = async (): Promise<Person> => {
  const { id: accountId } = await makePayer(deps);
  const now = deps.clock.now();
  const { secret } = await deps.db.transaction((tx) => openSession(tx, { accountId, acr: passwordAcr, info, now }));
  const cookie = sessionCookie("sandbox", secret, 60).split(";")[0] ?? "";
  return { ...(await sessionOf(cookie)), cookie };
};

const sessionOf = async (cookie: string): Promise<SessionContext> => {
  const session = await findSession(deps, cookie);
  if (!session) throw new Error("no session");
  return session;
};

type Defects = Parameters<Authenticator["get"]>[1];

const add = async (person: Person, authenticator: Authenticator, defects?: Defects) => {
  const attestation = authenticator.create(await beginAddingPasskey(deps, person), defects);
  return addPasskey(deps, { ...person, attestation, name: "Laptop", requestId });
};

/** A person with one passkey. */
const makeHolder = async (options: { countsUses?: boolean } = {}) => {
  const person = await makePerson();
  const authenticator = makeAuthenticator({ origin, ...options });
  const { passkeyId } = await add(person, authenticator);
  return { person, authenticator, passkeyId };
};

let attempts = 0;
/** Each attempt comes from another IP address, so that only the limit of the passkey applies. */
const enter = (assertion: ReturnType<Authenticator["get"]>, node = deps) => {
  const ipAddress = `10.1.${attempts >> 8}.${attempts++ & 255}`;
  return signInByPasskey(node, { assertion, cookieHeader: null, info: { ...info, ipAddress } });
};
const signIn = async (authenticator: Authenticator, defects?: Defects) =>
  enter(authenticator.get(await beginPasskeySignIn(deps), defects));
const confirm = (person: Person, assertion: ReturnType<Authenticator["get"]>) =>
  confirmPasskey(deps, { ...person, assertion, info });
const askToConfirm = ({ account, sessionId }: Person) =>
  beginPasskeyConfirmation(deps, { accountId: account.id, sessionId });

const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "done",
    (error: { code?: string }) => error.code ?? String(error),
  );
const auditOf = async (subjectId: string): Promise<string[]> =>
  (await searchAudit(deps, { subjectId })).entries.map(({ action }) => action).reverse();
/** The kinds of the mails, in alphabetical order: the test clock doesn't advance, so all mails have the same time. */
const mailTo = async ({ account }: Person) =>
  (await deps.db.prisma.mail.findMany({ where: { recipient: account.email }, orderBy: { kind: "asc" } })).map(
    ({ kind }) => kind,
  );

describe("adding a passkey (WebAuthn §7.1)", () => {
  it("requests a discoverable passkey with user verification on a new device", async () => {
    const { person, authenticator } = await makeHolder();
    expect(await beginAddingPasskey(deps, person)).toMatchObject({
      rp: { id: "wallet.test", name: "Paygrant sandbox" },
      user: { id: Buffer.from(person.account.id).toString("base64url"), name: `${person.account.email} (sandbox)` },
      attestation: "none",
      timeout: 300_000,
      excludeCredentials: [{ id: authenticator.credentialId, transports: ["internal", "hybrid"], type: "public-key" }],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
  });

  it("lists the passkey, audits the change and sends an e-mail to the owner", async () => {
    const { person, passkeyId } = await makeHolder();
    const createdAt = deps.clock.now();
    expect(await listPasskeys(deps, { accountId: person.account.id })).toEqual([
      { id: passkeyId, name: "Laptop", isBackedUp: true, createdAt, lastUsedAt: null },
    ]);
    expect(await auditOf(passkeyId)).toEqual(["passkey.added"]);
    expect(await mailTo(person)).toEqual(["passkey_added"]);
  });

  it.each<[string, Defects]>([
    ["of another origin", { origin: "http://localhost:3000" }],
    ["for another host", { rpId: "evil.example" }],
    ["without user verification", { isVerified: false }],
    ["from a sign-in response", { type: "webauthn.get" }],
    ["with certificates of a manufacturer", { format: "packed" }],
    ["in the attestation format of a manufacturer", { format: "fido-u2f" }],
  ])("refuses a passkey %s", async (_title, defects) => {
    const person = await makePerson();
    expect(await codeOf(add(person, makeAuthenticator({ origin }), defects))).toBe("passkey_not_made");
    expect(await listPasskeys(deps, { accountId: person.account.id })).toEqual([]);
    expect(await mailTo(person)).toEqual([]);
  });

  it("accepts a challenge once, only within 5 minutes and only in its session", async () => {
    const [own, other] = [await makePerson(), await makePerson()];
    const options = await beginAddingPasskey(deps, own);
    const addTo = (person: Person, requested = options) => {
      const attestation = makeAuthenticator({ origin }).create(requested);
      return codeOf(addPasskey(deps, { ...person, attestation, name: "x", requestId }));
    };
    expect(await addTo(other)).toBe("passkey_challenge_gone");
    expect(await addTo(own)).toBe("done");
    expect(await addTo(own)).toBe("passkey_challenge_gone");
    const late = await beginAddingPasskey(deps, own);
    deps.clock.advance(300);
    expect(await addTo(own, late)).toBe("passkey_challenge_gone");
  });

  it("refuses a credential that is already registered, by this or another account", async () => {
    const { person, authenticator } = await makeHolder();
    expect(await codeOf(add(person, authenticator))).toBe("passkey_known");
    expect(await codeOf(add(await makePerson(), authenticator))).toBe("passkey_known");
  });

  it("allows ten passkeys per account, even with concurrent requests", async () => {
    const person = await makePerson();
    const attestations = [];
    for (let index = 0; index < 12; index++) {
      attestations.push(makeAuthenticator({ origin }).create(await beginAddingPasskey(deps, person)));
    }
    const codes = await Promise.all(
      attestations.map((attestation) => codeOf(addPasskey(deps, { ...person, attestation, name: "x", requestId }))),
    );
    expect(codes.toSorted()).toEqual([...Array(10).fill("done"), ...Array(2).fill("too_many_passkeys")]);
    expect(await codeOf(beginAddingPasskey(deps, person))).toBe("too_many_passkeys");
  });
});

describe("signing in by a passkey (WebAuthn §7.2; docs/spec/portal.md, Sign-in)", () => {
  it("opens a session of the passkey's account, with an acr value from the metadata (RFC 9470 §4)", async () => {
    const { person, authenticator, passkeyId } = await makeHolder();
    deps.clock.advance(600);
    const { setCookie, sessionId } = await signIn(authenticator);
    const session = await sessionOf(setCookie.split(";")[0] ?? "");
    expect(session).toMatchObject({ account: person.account, authTime: deps.clock.now() });
    expect(session.acr).toBe("urn:paygrant:acr:passkey");
    expect(serverMetadata(deps).acr_values_supported).toContain(session.acr);
    expect(await auditOf(sessionId)).toEqual(["session.opened"]);
    expect((await listPasskeys(deps, { accountId: person.account.id }))[0]).toMatchObject({
      id: passkeyId,
      lastUsedAt: deps.clock.now(),
    });
  });

  it("reveals no account and no passkey in its options", async () => {
    const options = await beginPasskeySignIn(deps);
    expect(options).toMatchObject({ rpId: "wallet.test", userVerification: "required" });
    expect(options.allowCredentials).toBeUndefined();
  });

  it("stores only the hash of the challenge", async () => {
    const { challenge } = await beginPasskeySignIn(deps);
    expect(JSON.stringify(await deps.db.prisma.passkeyChallenge.findMany())).not.toContain(challenge);
  });

  it("ends the browser's previous session (rotation)", async () => {
    const { person, authenticator } = await makeHolder();
    const assertion = authenticator.get(await beginPasskeySignIn(deps));
    await signInByPasskey(deps, { assertion, cookieHeader: person.cookie, info });
    expect(await findSession(deps, person.cookie)).toBeNull();
  });

  it.each<[string, Defects]>([
    ["from a page of another origin", { origin: "http://localhost:3000" }],
    ["for another host", { rpId: "evil.example" }],
    ["without user verification", { isVerified: false }],
    ["for another account", { userHandle: Buffer.from("acc_other").toString("base64url") }],
    ["without an account", { userHandle: null }],
    ["from a registration response", { type: "webauthn.create" }],
  ])("refuses a signature %s, and consumes the challenge", async (_title, defects) => {
    const { person, authenticator } = await makeHolder();
    const options = await beginPasskeySignIn(deps);
    expect(await codeOf(enter(authenticator.get(options, defects)))).toBe("passkey_refused");
    expect(await codeOf(enter(authenticator.get(options)))).toBe("passkey_challenge_gone");
    expect(await auditOf(person.account.id)).toEqual(["recovery_codes.created", "session.refused"]);
  });

  it("refuses a signature from a page in a frame of another site", async () => {
    const { authenticator } = await makeHolder();
    expect(await codeOf(signIn(authenticator, { crossOrigin: true }))).toBe("passkey_challenge_gone");
    expect(await codeOf(signIn(authenticator, { topOrigin: "https://evil.example" }))).toBe("passkey_challenge_gone");
  });

  it("gives an unknown passkey, a removed passkey and a wrong signature the same answer", async () => {
    const { person, authenticator, passkeyId } = await makeHolder();
    const stranger = makeAuthenticator({ origin });
    const forged = { ...stranger.get(await beginPasskeySignIn(deps)), id: authenticator.credentialId };
    const messageOf = (attempt: Promise<unknown>) => attempt.catch((error: unknown) => String(error));
    const wrong = await messageOf(enter(forged));
    const unknown = await messageOf(signIn(stranger));
    await removePasskey(deps, { ...person, passkeyId, requestId });
    expect(wrong).toContain("isn’t registered");
    expect([unknown, await messageOf(signIn(authenticator))]).toEqual([wrong, wrong]);
  });

  it("accepts a challenge once and only within its time, and refuses a challenge that was made for a confirmation", async () => {
    const { person, authenticator } = await makeHolder();
    const assertion = authenticator.get(await beginPasskeySignIn(deps));
    expect(await codeOf(enter(assertion))).toBe("done");
    expect(await codeOf(enter(assertion))).toBe("passkey_challenge_gone");
    expect(await codeOf(enter(authenticator.get(await askToConfirm(person))))).toBe("passkey_challenge_gone");
    const late = authenticator.get(await beginPasskeySignIn(deps));
    deps.clock.advance(300);
    expect(await codeOf(enter(late))).toBe("passkey_challenge_gone");
  });

  it("accepts only one of several signatures of a challenge that arrive concurrently at two processes", async () => {
    const other = await anotherNode(deps);
    const { authenticator } = await makeHolder();
    for (let round = 0; round < 3; round++) {
      const options = await beginPasskeySignIn(deps);
      const codes = await Promise.all(
        [deps, other, deps, other].map((node) => codeOf(enter(authenticator.get(options), node))),
      );
      expect(codes.toSorted()).toEqual(["done", ...Array(3).fill("passkey_challenge_gone")]);
    }
    await other.close();
  });

  it("treats a demo account's passkey as unknown unless BASE_URL is a loopback address (docs/spec/operations.md, Demo data)", async () => {
    const { person, authenticator } = await makeHolder();
    await deps.db.prisma.account.update({ where: { id: person.account.id }, data: { isDemo: true } });
    expect(await codeOf(signIn(authenticator))).toBe("done");
    const assertion = authenticator.get(await beginPasskeySignIn(deps));
    const elsewhere = { ...deps, config: { ...deps.config, isLoopback: false } };
    expect(await codeOf(enter(assertion, elsewhere))).toBe("passkey_refused");
  });

  it("accepts a browser that signed in before, despite other people's failed attempts with the passkey's id", async () => {
    const { authenticator } = await makeHolder();
    const first = await signIn(authenticator);
    for (let tries = 0; tries < 10; tries++) await codeOf(signIn(authenticator, { isVerified: false }));
    expect(await codeOf(signIn(authenticator))).toBe("too_many_attempts");
    const assertion = authenticator.get(await beginPasskeySignIn(deps));
    const cookieHeader = first.knownBrowserCookie.split(";")[0] ?? "";
    expect(await codeOf(signInByPasskey(deps, { assertion, cookieHeader, info }))).toBe("done");
  });

  it("allows ten failed attempts per passkey, then one more per minute", async () => {
    const { authenticator } = await makeHolder();
    for (let tries = 0; tries < 10; tries++) {
      const assertion = authenticator.get(await beginPasskeySignIn(deps), { isVerified: false });
      expect(await codeOf(enter(assertion))).toBe("passkey_refused");
    }
    expect(await codeOf(signIn(authenticator))).toBe("too_many_attempts");
    deps.clock.advance(61);
    expect(await codeOf(signIn(authenticator))).toBe("done");
  });
});

describe("the signature counter (WebAuthn §6.1.1)", () => {
  it.each([
    ["equal to the last one", 3],
    ["lower than the last one", 2],
    ["zero", 0],
  ])("refuses a counter that is %s, and audits the refusal", async (_title, counter) => {
    const { authenticator, passkeyId } = await makeHolder();
    await signIn(authenticator, { counter: 3 });
    expect(await codeOf(signIn(authenticator, { counter }))).toBe("passkey_refused");
    expect(await auditOf(passkeyId)).toEqual(["passkey.added", "passkey.counter_regressed"]);
    expect(await codeOf(signIn(authenticator, { counter: 4 }))).toBe("done");
  });

  it("accepts an authenticator without a counter", async () => {
    const { authenticator } = await makeHolder({ countsUses: false });
    await signIn(authenticator);
    expect(await codeOf(signIn(authenticator))).toBe("done");
  });

  it("accepts only one of several signatures with the same counter and different challenges", async () => {
    const { authenticator } = await makeHolder();
    const codes = await Promise.all(Array.from({ length: 5 }, () => codeOf(signIn(authenticator, { counter: 9 }))));
    expect(codes.toSorted()).toEqual(["done", ...Array(4).fill("passkey_refused")]);
  });
});

describe("confirming a risky action with a passkey (docs/spec/portal.md, Recent authentication)", () => {
  it("renews the proof of identity of this session only, with the acr value of passkeys", async () => {
    const { person, authenticator } = await makeHolder();
    deps.clock.advance(600);
    await confirm(person, authenticator.get(await askToConfirm(person)));
    expect(await sessionOf(person.cookie)).toMatchObject({
      authTime: deps.clock.now(),
      acr: "urn:paygrant:acr:passkey",
    });
    expect((await auditOf(person.sessionId)).at(-1)).toBe("session.confirmed");
  });

  it("requests the account's own passkeys, and accepts no other", async () => {
    const [own, other] = [await makeHolder(), await makeHolder()];
    const before = (await sessionOf(own.person.cookie)).authTime;
    const options = await askToConfirm(own.person);
    expect(options.allowCredentials?.map(({ id }) => id)).toEqual([own.authenticator.credentialId]);
    deps.clock.advance(10);
    expect(await codeOf(confirm(own.person, other.authenticator.get(options)))).toBe("passkey_refused");
    expect((await sessionOf(own.person.cookie)).authTime).toEqual(before);
  });

  it("accepts a challenge only in its session, and refuses a challenge that was made for a sign-in", async () => {
    const [own, other] = [await makeHolder(), await makeHolder()];
    const stolen = other.authenticator.get(await askToConfirm(own.person));
    expect(await codeOf(confirm(other.person, stolen))).toBe("passkey_challenge_gone");
    const assertion = own.authenticator.get(await beginPasskeySignIn(deps));
    expect(await codeOf(confirm(own.person, assertion))).toBe("passkey_challenge_gone");
  });

  it("isn't blocked by other people who know the e-mail address or the passkey's id", async () => {
    const { person, authenticator } = await makeHolder();
    const stranger = { email: person.account.email, password: "wrong", cookieHeader: null, info };
    for (let tries = 0; tries < 10; tries++) {
      await codeOf(signInByPassword(deps, stranger));
      await codeOf(signIn(authenticator, { isVerified: false }));
    }
    expect(await codeOf(signIn(authenticator))).toBe("too_many_attempts");
    expect(await codeOf(confirm(person, authenticator.get(await askToConfirm(person))))).toBe("done");
  });

  it("is refused for an account without a passkey", async () => {
    expect(await codeOf(askToConfirm(await makePerson()))).toBe("no_passkey");
  });
});

describe("renaming and removing passkeys", () => {
  it("renames only the account's own passkeys", async () => {
    const [own, other] = [await makeHolder(), await makeHolder()];
    const { passkeyId } = own;
    const rename = (person: Person) =>
      codeOf(renamePasskey(deps, { accountId: person.account.id, passkeyId, name: "Phone", requestId }));
    expect(await rename(other.person)).toBe("passkey_not_found");
    expect(await rename(own.person)).toBe("done");
    expect((await listPasskeys(deps, { accountId: own.person.account.id }))[0]?.name).toBe("Phone");
    expect(await auditOf(passkeyId)).toEqual(["passkey.added", "passkey.renamed"]);
  });

  it("removes only the account's own passkeys, each once, and sends an e-mail to the owner", async () => {
    const [own, other] = [await makeHolder(), await makeHolder()];
    const { passkeyId } = own;
    const remove = (person: Person) => codeOf(removePasskey(deps, { ...person, passkeyId, requestId }));
    expect(await remove(other.person)).toBe("passkey_not_found");
    expect((await Promise.all([remove(own.person), remove(own.person)])).toSorted()).toEqual([
      "done",
      "passkey_not_found",
    ]);
    expect(await auditOf(passkeyId)).toEqual(["passkey.added", "passkey.removed"]);
    expect(await mailTo(own.person)).toEqual(["passkey_added", "passkey_removed"]);
  });
});
