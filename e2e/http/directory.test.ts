import { calculateJwkThumbprint, createLocalJWKSet, decodeJwt, type JSONWebKeySet, type JWK, jwtVerify } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectFieldProblem, expectOAuthError, expectProblem } from "../support/answers/error-shape.ts";
import { type Answer, postJson, send, textOf } from "../support/answers/wire.ts";
import { parseXml } from "../support/answers/xml.ts";
import { currentInstance, databaseUrlOf } from "../support/instance.ts";
import { mandateDetails, pushFields } from "../support/oauth/mandate-flow.ts";
import {
  clientToken,
  type Merchant,
  makeInitialAccessToken,
  type Party,
  participantOf,
  postAs,
  registerAgent,
  registerMerchant,
} from "../support/oauth/parties.ts";
import { onServer } from "../support/test-database.ts";

const { sandboxUrl, productionUrl } = currentInstance();
const resource = `${sandboxUrl}/directory`;
const database = databaseUrlOf("sandbox");
const participants = `${resource}/v1/participants`;

let merchant: Merchant;
let agent: Party;
let token: string;
let agentToken: string;
let own: string;
let agents: string;

const findOwn = (id: string) => participantOf(sandboxUrl, id);

beforeAll(async () => {
  merchant = await registerMerchant(sandboxUrl, { metadata: { scope: "charges.read directory.write" } });
  const metadata = { grant_types: ["client_credentials"], scope: "grant_management_query directory.write" };
  agent = await registerAgent(sandboxUrl, { metadata });
  [token, agentToken] = [
    await clientToken(merchant, { resource }),
    await clientToken(agent, { scope: "directory.write" }),
  ];
  [own, agents] = [await findOwn(merchant.id), await findOwn(agent.id)];
});

const read = (id = own, headers: Record<string, string> = {}) => send(`${participants}/${id}`, { headers });
const entry = {
  display_name: "Fresh Market",
  contacts: ["payments@fresh-market.example", "ops&alerts@xn--h1alffa9f.xn--p1ai"],
};
const unverifiedMetadata = "https://fresh-market.example/.well-known/oauth-protected-resource";
type Putting = { id?: string; body?: object; bearer?: string; ifMatch?: string | null };
const put = ({ id = own, body = entry, bearer = token, ifMatch = "*" }: Putting = {}): Promise<Answer> =>
  send(`${participants}/${id}`, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${bearer}`,
      "content-type": "application/json",
      ...(ifMatch === null ? {} : { "if-match": ifMatch }),
    },
    body: JSON.stringify(body),
  });
const post = (path: string, body: object, bearer = token) =>
  postJson(`${participants}/${path}`, body, { authorization: `Bearer ${bearer}` });

describe("the scope of the directory's resource (docs/spec/oauth.md, Clients, scopes and resources)", () => {
  test("is granted only for that resource, to a merchant client and to an agent", () => {
    for (const bearer of [token, agentToken]) {
      expect(decodeJwt(bearer)).toMatchObject({ aud: resource, scope: "directory.write" });
    }
  });

  test("is refused with a scope of another resource (invalid_scope), for another resource (invalid_target), and in a request to a payer", async () => {
    const requestToken = (fields: Record<string, string>) =>
      postAs(merchant, "/oauth/token", { form: { grant_type: "client_credentials", ...fields } });
    expectOAuthError(await requestToken({ scope: "directory.write charges.read" }), 400, "invalid_scope");
    expectOAuthError(await requestToken({ scope: "directory.write", resource: sandboxUrl }), 400, "invalid_target");
    expectOAuthError(await requestToken({ scope: "charges.read", resource }), 400, "invalid_target");
    const payersAgent = await registerAgent(sandboxUrl, { metadata: { scope: "directory.write" } });
    const { form } = pushFields([mandateDetails(merchant.merchantId)]);
    const pushed = await postAs(payersAgent, "/oauth/par", { form: { ...form, scope: "directory.write" } });
    expectOAuthError(pushed, 400, "invalid_scope");
  });

  test("the directory refuses tokens for another audience or environment, and other resources refuse its tokens (RFC 9068 §4)", async () => {
    const production = await makeInitialAccessToken("production", "merchant");
    const headers = { authorization: `Bearer ${production.token}` };
    const foreign = await registerMerchant(productionUrl, { headers });
    for (const bearer of [await clientToken(merchant, { scope: "charges.read" }), await clientToken(foreign)]) {
      const answer = await put({ bearer });
      expectProblem(answer, 401, "invalid_token");
      expect(answer.headers.get("www-authenticate")).toContain(
        `resource_metadata="${sandboxUrl}/.well-known/oauth-protected-resource/directory"`,
      );
    }
    const charges = await send(`${sandboxUrl}/merchant_test/charges`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expectProblem(charges, 401, "invalid_token");
  });
});

describe("the public list of participants (docs/spec/directory.md, API)", () => {
  test("finds an entry by the id of its client or merchant, and by the start of any word in its name", async () => {
    expect(own).toMatch(/^ptc_/);
    expect(await findOwn(merchant.merchantId)).toBe(own);
    expect(await findOwn("cl_test_unknown")).toBe("");
    const name = `Zebra${merchant.id.slice(-8)}`;
    await put({ body: { ...entry, display_name: `Grand ${name} Market` } });
    expect(await findOwn(`${name.slice(0, 10).toLowerCase()}%20gra`)).toBe(own);
    expect((await send(`${participants}?q=${name}&role=client`)).json).toMatchObject({ data: [] });
    const filters = `status=pending&environment=sandbox&capability=grant:client_credentials`;
    expect((await send(`${participants}?q=${name}&${filters}`)).json).toMatchObject({ data: [{ id: own }] });
  });

  test("allows any origin, and answers 304 for an unchanged entry (RFC 9110 §15.4.5)", async () => {
    const first = await read(own, { origin: "https://other.example" });
    expect(first.headers.get("access-control-allow-origin")).toBe("*");
    expect(first.json).toMatchObject({ id: own, merchant_id: merchant.merchantId, environment: "sandbox" });
    const etag = first.headers.get("etag") ?? "";
    const again = await read(own, { "if-none-match": etag });
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
    await put();
    expect((await read(own, { "if-none-match": etag })).status).toBe(200);
  });

  test("lists the authorization server of each environment", async () => {
    for (const [baseUrl, environment] of [
      [sandboxUrl, "sandbox"],
      [productionUrl, "production"],
    ]) {
      const answer = await send(`${baseUrl}/directory/v1/participants?role=authorization_server`);
      expect(answer.json).toMatchObject({ data: [{ environment, status: "active" }] });
      expect(JSON.stringify(answer.json)).toContain(`${baseUrl}/.well-known/oauth-authorization-server`);
    }
    expectProblem(await send(`${productionUrl}/directory/v1/participants/${own}`), 404, "participant_not_found");
  });

  test("the page ignores a cursor that isn't from the list", async () => {
    const page = await send(`${resource}?q=${own}&cursor=zzz`);
    expect([page.status, page.text.includes(own)]).toEqual([200, true]);
  });

  test("returns each entry once, in pages, in the order of the last change", async () => {
    const since = String((await read()).json?.["updated_at"]);
    await put({ id: agents, bearer: agentToken });
    const page = async (query: string) => {
      const { json } = await send(`${participants}?limit=1&updated_since=${since}${query}`);
      return json as unknown as { data: { id: string; updated_at: string }[]; next_cursor: string | null };
    };
    const seen: { id: string; updated_at: string }[] = [];
    for (let at = await page(""); ; at = await page(`&cursor=${at.next_cursor}`)) {
      seen.push(...at.data);
      if (at.next_cursor === null || seen.length > 200) break;
    }
    const ids = seen.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([own, agents]));
    expect(new Set(ids).size).toBe(ids.length);
    expect(seen.map((one) => one.updated_at)).toEqual(seen.map((one) => one.updated_at).toSorted());
  });

  test.each([
    ["role=payer", "#role"],
    ["status=gone", "#status"],
    ["capability=magic", "#capability"],
    ["capability=currency:eur", "#capability"],
    ["currency=EURO", "#currency"],
    ["environment=test", "#environment"],
    ["color=red", "#color"],
    ["updated_since=yesterday", "#updated_since"],
    ["cursor=x", "#cursor"],
    ["limit=101", "#limit"],
  ])("refuses %s and names the field", async (query, pointer) => {
    expectFieldProblem(await send(`${participants}?${query}`), pointer);
  });
});

describe("PUT of an entry", () => {
  test("requires the current entity tag to replace an entry (RFC 9110 §13.1.1)", async () => {
    const etag = (await read()).headers.get("etag") ?? "";
    const body = { ...entry, website_uri: "https://fresh-market.example/", legal_name: "پرداخت\u200cیار" };
    const edited = await put({ body, ifMatch: etag });
    expect(edited.status, edited.text).toBe(200);
    expect(edited.json).toMatchObject(body);
    const present = await read();
    expect([present.text, present.headers.get("etag")]).toEqual([edited.text, edited.headers.get("etag")]);
    expectProblem(await put({ ifMatch: etag }), 412, "precondition_failed");
    expectProblem(await put({ ifMatch: `W/${present.headers.get("etag")}` }), 412, "precondition_failed");
    expectProblem(await put({ ifMatch: null }), 428, "precondition_required");
    const history = await send(`${participants}/${own}/history?limit=1`);
    expect(history.json).toMatchObject({
      data: [
        {
          version: edited.json?.["version"],
          change: "edited",
          changed_by: "client",
          diff: expect.arrayContaining([expect.objectContaining({ op: "replace" })]),
          document: { ...body, contacts: body.contacts.map(() => expect.stringMatching(/^[\w-]{43}$/)) },
        },
      ],
      has_more: true,
      next_cursor: String(edited.json?.["version"]),
    });
    const older = await send(`${participants}/${own}/history?cursor=2`);
    const data = (older.json?.["data"] ?? []) as { diff: { path: string }[]; document: object }[];
    const [first] = data;
    expect(older.json).toMatchObject({
      data: [{ version: 1, change: "registered" }],
      has_more: false,
      next_cursor: null,
    });
    expect(first?.diff.map(({ path }) => path)).toEqual(
      Object.keys(first?.document ?? {})
        .toSorted()
        .map((name) => `/${name}`),
    );
  });

  test("allows changes of an entry, its domains and its initial access tokens only to clients of the participant", async () => {
    const before = (await read()).text;
    expectProblem(await put({ bearer: agentToken }), 403, "not_own_participant");
    expectProblem(await post(`${own}/domains`, { domain: "a.example" }, agentToken), 403, "not_own_participant");
    expectProblem(await post(`${own}/initial-access-tokens`, {}, agentToken), 403, "not_own_participant");
    const headers = { authorization: `Bearer ${agentToken}` };
    expectProblem(await send(`${participants}/${own}/initial-access-tokens`, { headers }), 403, "not_own_participant");
    expectProblem(await put({ id: "ptc_server" }), 403, "not_own_participant");
    expectProblem(await put({ id: "ptc_unknown" }), 404, "participant_not_found");
    expect((await read()).text).toBe(before);
  });

  test.each([
    ["/display_name", { display_name: "\u202eteekraM" }],
    ["/display_name", { display_name: "Mar\u200dket" }],
    ["/display_name", { display_name: " \u2800 " }],
    ["/website_uri", { ...entry, website_uri: "http://fresh-market.example/" }],
    ["/logo_uri", { ...entry, logo_uri: "javascript:alert(1)" }],
    ["/contacts/0", { ...entry, contacts: ["not-an-address"] }],
    ["/metadata_documents/0", { ...entry, metadata_documents: ["https://shop.example/metadata.json"] }],
    ["/metadata_documents", { ...entry, metadata_documents: [unverifiedMetadata] }],
    ["/status", { ...entry, status: "active" }],
  ])("refuses an invalid entry and names the field %s", async (pointer, body) => {
    expectFieldProblem(await put({ body }), pointer);
  });
});

describe("the metadata of a participant (docs/spec/directory.md, Health)", () => {
  const unfetched = { fetched_at: null, changed_at: null, document: null, jwks: null };
  const metadataOf = (id: string, headers: Record<string, string> = {}) =>
    send(`${participants}/${id}/metadata`, { headers });

  test("is public, including snapshots and changes, and exists for the server too; unknown participants and parameters are refused", async () => {
    const answer = await metadataOf(own, { origin: "https://other.example" });
    expect(answer.json).toEqual({ data: [], changes: [] });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect((await metadataOf(own, { "if-none-match": answer.headers.get("etag") ?? "" })).status).toBe(304);
    const uri = `${sandboxUrl}/.well-known/oauth-authorization-server`;
    expect((await metadataOf("ptc_server")).json).toMatchObject({
      data: expect.arrayContaining([{ uri, ...unfetched }]),
    });
    expectProblem(await metadataOf("ptc_unknown"), 404, "participant_not_found");
    expectFieldProblem(await send(`${participants}/${own}/metadata?limit=1`), "#limit");
  });
});

describe("a signed entry (docs/spec/directory.md, Signed entries)", () => {
  const signedOf = (headers: Record<string, string> = {}) => read(own, { accept: "application/jwt", ...headers });
  const metadataOf = () => send(`${sandboxUrl}/.well-known/oauth-protected-resource/directory`);

  test("can be verified with the keys that the directory's metadata names (RFC 9728 §2)", async () => {
    const answer = await signedOf({ origin: "https://other.example" });
    expect(answer.headers.get("content-type")).toBe("application/jwt");
    expect(answer.headers.get("vary")).toBe("Accept");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const jwksUri = textOf(await metadataOf(), "jwks_uri");
    expect(jwksUri).toBe(`${resource}/v1/jwks`);
    const keys = (await send(jwksUri)).json as unknown as JSONWebKeySet;
    const { payload, protectedHeader } = await jwtVerify(answer.text, createLocalJWKSet(keys), {
      issuer: resource,
      subject: own,
      typ: "participant+jwt",
    });
    expect(protectedHeader.kid).toBeTypeOf("string");
    const { iat = 0, exp = 0 } = payload;
    expect(exp - iat).toBe(24 * 3600);
    expect(payload["participant"]).toEqual((await read()).json);
    const history = await send(`${participants}/${own}/history?limit=1`);
    expect(history.json).toMatchObject({ data: [{ log_index: payload["log_index"] }] });
  });

  test("has a different entity tag than the JSON entry, and is answered with 304 until the entry changes (RFC 9110 §15.4.5)", async () => {
    const etag = (await signedOf()).headers.get("etag") ?? "";
    expect(etag).toMatch(/^W\/"/);
    expect((await signedOf({ "if-none-match": etag })).status).toBe(304);
    expect((await read(own, { "if-none-match": etag })).status).toBe(200);
    await put({ body: { ...entry, display_name: "Signed Market" } });
    expect((await signedOf({ "if-none-match": etag })).status).toBe(200);
  });

  test("is served only as application/jwt; other types are refused with 406, an unknown participant with 404 (RFC 9110 §15.5.7)", async () => {
    const refused = await read(own, { accept: "text/html" });
    expectProblem(refused, 406, "not_acceptable");
    expect(refused.headers.get("vary")).toBe("Accept");
    expectProblem(await read("ptc_unknown", { accept: "application/jwt" }), 404, "participant_not_found");
    expect((await read(own, { accept: "application/jwt;q=0.5, */*" })).headers.get("content-type")).toBe(
      "application/json",
    );
  });
});

describe("the keys of participants (docs/spec/directory.md, Keys)", () => {
  const expectRevalidated = async (url: string) => {
    const first = await send(url, { headers: { origin: "https://other.example" } });
    expect(first.headers.get("access-control-allow-origin")).toBe("*");
    const again = await send(url, { headers: { "if-none-match": first.headers.get("etag") ?? "" } });
    expect([first.status, again.status]).toEqual([200, 304]);
  };

  test("are a JWK Set, and a participant can be found by the thumbprint of each of its keys (RFC 7517, RFC 7638)", async () => {
    const url = `${participants}/${own}/jwks`;
    const answer = await send(url);
    expect(answer.headers.get("content-type")).toBe("application/jwk-set+json");
    const { keys } = answer.json as unknown as { keys: JWK[] };
    expect((await send(`${url}?retired=true`)).json).toEqual({ keys });
    const history = await send(`${participants}/${own}/history?limit=1`);
    const thumbprints = await Promise.all(keys.map((key) => calculateJwkThumbprint(key)));
    const described = keys.map(({ kid }, index) => ({ thumbprint: thumbprints[index], kid: kid ?? null }));
    expect(history.json).toMatchObject({ data: [{ document: { keys: described } }] });
    const holder = `${resource}/v1/keys/${thumbprints[0]}`;
    expect((await send(holder)).json).toMatchObject({
      thumbprint: thumbprints[0],
      participant_id: own,
      until: null,
      holders: [{ participant_id: own, since: expect.stringMatching(/Z$/), until: null }],
    });
    await expectRevalidated(url);
    await expectRevalidated(holder);
  });

  test("are the same in the authorization server's entry and in its JWK Set", async () => {
    const { keys } = (await send(`${participants}/ptc_server/jwks`)).json as unknown as { keys: JWK[] };
    const published = (await send(`${sandboxUrl}/.well-known/jwks.json`)).json as unknown as { keys: JWK[] };
    const kids = (set: JWK[]) => set.map(({ kid }) => kid).toSorted();
    expect(kids(keys)).toEqual(kids(published.keys));
  });

  test("are answered with 404 for an unknown id or thumbprint; an invalid or unknown parameter is named", async () => {
    expectProblem(await send(`${participants}/ptc_unknown/jwks`), 404, "participant_not_found");
    expectProblem(await send(`${resource}/v1/keys/${"A".repeat(43)}`), 404, "key_not_found");
    expectFieldProblem(await send(`${participants}/${own}/jwks?retired=yes`), "#retired");
    expectFieldProblem(await send(`${resource}/v1/keys/${"A".repeat(43)}?since=1`), "#since");
  });
});

describe("public reads (docs/spec/directory.md, API)", () => {
  const signed = { accept: "application/jwt" };
  const atom = { accept: "application/atom+xml" };
  const reads: [string, Record<string, string>?][] = [
    ["v1/participants?q=server&status=active"],
    ["v1/participants/ptc_server"],
    ["v1/participants/ptc_server", signed],
    ["v1/participants/ptc_server/jwks?retired=true"],
    ["v1/participants/ptc_server/history"],
    ["v1/participants/ptc_server/metadata"],
    ["v1/changes?limit=1"],
    ["v1/changes?limit=1", atom],
    ["v1/jwks"],
    ["v1/log/proofs/inclusion?index=0&tree_size=1"],
    ["v1/log/proofs/consistency?from=0&to=1"],
    ["log/key"],
    ["log/tile/0/000.p/1"],
    ["log/tile/entries/000.p/1"],
    ["federation/list"],
  ];

  test.each(reads)(
    "%s %o has an entity tag, and a request with this tag gets 304 (RFC 9110 §13.1.2)",
    async (path, headers = {}) => {
      const url = `${resource}/${path}`;
      const first = await send(url, { headers });
      const etag = first.headers.get("etag") ?? "";
      expect([first.status, etag]).toEqual([200, expect.stringMatching(/^(W\/)?"[\w-]+"$/)]);
      const again = await send(url, { headers: { ...headers, "if-none-match": `"other", ${etag}` } });
      expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
      for (const name of ["cache-control", "access-control-allow-origin", "vary"])
        expect(again.headers.get(name)).toBe(first.headers.get(name));
    },
  );
});

describe("the changes of all participants (docs/spec/directory.md, History)", () => {
  const changes = `${resource}/v1/changes`;
  type Page = { data: { log_index: number; participant_id: string }[]; has_more: boolean; next_cursor: string };

  test("are listed in pages, oldest first; the cursor of the last page returns later changes", async () => {
    const seen: Page["data"] = [];
    let cursor = "";
    for (let hasMore = true; hasMore; ) {
      const page = (await send(`${changes}?limit=100${cursor}`)).json as unknown as Page;
      seen.push(...page.data);
      cursor = `&cursor=${page.next_cursor}`;
      hasMore = page.has_more;
    }
    expect(seen.map((change) => change.log_index)).toEqual(seen.map((_, index) => index));
    expect(seen[0]?.participant_id).toBe("ptc_server");
    await put({ body: { ...entry, display_name: `Late ${seen.length}` } });
    const later = (await send(`${changes}?limit=100${cursor}`)).json as unknown as Page;
    expect(later.data.map((change) => change.participant_id)).toContain(own);
    const url = `${changes}?limit=3&cursor=1`;
    const first = await send(url, { headers: { origin: "https://other.example" } });
    expect(first.headers.get("access-control-allow-origin")).toBe("*");
    const again = await send(url, { headers: { "if-none-match": first.headers.get("etag") ?? "" } });
    expect([first.status, again.status]).toEqual([200, 304]);
  });

  test("are served as an Atom feed to readers that accept Atom (RFC 4287); other types are refused", async () => {
    const feed = await send(`${changes}?limit=2`, { headers: { accept: "application/atom+xml" } });
    expect(feed.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
    expect(feed.headers.get("vary")).toBe("Accept");
    const root = parseXml(feed.text);
    expect(root.name).toContain("http://www.w3.org/2005/Atom");
    expect(feed.text.match(/<entry>/g)).toHaveLength(2);
    expect(feed.text).toContain(`<link rel="next" type="application/atom+xml" href="${changes}?cursor=2"/>`);
    expectProblem(await send(changes, { headers: { accept: "text/csv" } }), 406, "not_acceptable");
  });

  test.each([
    ["#cursor", "cursor=abc"],
    ["#cursor", "cursor=999999999"],
    ["#limit", "limit=0"],
    ["#since", "since=1"],
  ])("refuse %s", async (pointer, query) => {
    expectFieldProblem(await send(`${changes}?${query}`), pointer);
  });
});

describe("a participant that proved its domain can let agents register (docs/spec/oauth.md, Client registration)", () => {
  test("creates initial access tokens, which register agents until they are revoked", async () => {
    const other = await registerMerchant(sandboxUrl, { metadata: { scope: "charges.read directory.write" } });
    const [id, bearer] = [await findOwn(other.id), await clientToken(other, { resource })];
    expectProblem(await post(`${id}/initial-access-tokens`, {}, bearer), 403, "participant_not_verified");
    const domain = `${other.id.toLowerCase().replaceAll("_", "-")}.example`;
    expectFieldProblem(await post(`${id}/domains`, { domain: "127.0.0.1" }, bearer), "/domain");
    const claimed = await post(`${id}/domains`, { domain: domain.toUpperCase() }, bearer);
    expect(claimed.status, claimed.text).toBe(201);
    const url = `https://${domain}/.well-known/paygrant-participants.json`;
    expect(claimed.json).toMatchObject({ domain, url, document: { [id]: expect.stringMatching(/^[\w-]{43}$/) } });
    const again = await post(`${id}/domains`, { domain }, bearer);
    expect([again.status, again.text]).toEqual([200, claimed.text]);
    // Names of domains are compared without case (RFC 4343).
    expect((await post(`${id}/domains`, { domain: "Given-Up.example" }, bearer)).status).toBe(201);
    const givenUp = `${participants}/${id}/domains/GIVEN-UP.example`;
    const asBearer = { method: "DELETE", headers: { authorization: `Bearer ${bearer}` } };
    expect((await send(givenUp, asBearer)).status).toBe(204);
    expectProblem(await send(givenUp, asBearer), 404, "domain_not_claimed");
    // The domain counts as verified here. server/directory/participants/directory.db.test.ts tests the verification.
    await onServer(database, `UPDATE participant_domain SET verified_at = now() WHERE participant_id = '${id}'`);

    const made = await post(`${id}/initial-access-tokens`, { label: "Bots", uses: 2, expires_in: 600 }, bearer);
    expect(made.status, made.text).toBe(201);
    const headers = { authorization: `Bearer ${textOf(made, "initial_access_token")}` };
    const bot = await registerAgent(sandboxUrl, { headers });
    expect(await findOwn(bot.id)).toBe(id);
    expect((await read(id)).json).toMatchObject({ roles: ["merchant", "client"], status: "active" });
    await expect(registerAgent(sandboxUrl, { headers, metadata: { scope: "directory.write" } })).rejects.toThrow("400");

    const tokens = `${participants}/${id}/initial-access-tokens`;
    const asOwner = { authorization: `Bearer ${bearer}` };
    expect((await send(tokens, { headers: asOwner })).json).toMatchObject({
      data: [{ id: made.json?.["id"], label: "Bots", uses_left: 1, revoked_at: null }],
      has_more: false,
    });
    const revoke = (tokenId: unknown) => send(`${tokens}/${tokenId}`, { method: "DELETE", headers: asOwner });
    expectProblem(await revoke("iat_unknown"), 404, "not_found");
    expect((await revoke(made.json?.["id"])).status).toBe(204);
    await expect(registerAgent(sandboxUrl, { headers })).rejects.toThrow("revoked");

    await onServer(database, `UPDATE merchant SET suspended_at = now() WHERE id = '${other.merchantId}'`);
    expect((await read(id)).json).toMatchObject({ status: "suspended" });
    expectProblem(await put({ id, bearer }), 409, "participant_suspended");
    expectProblem(await post(`${id}/initial-access-tokens`, {}, bearer), 409, "participant_suspended");
  });
});
