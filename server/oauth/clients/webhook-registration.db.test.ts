import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeKey } from "#e2e/support/oauth/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import {
  deleteClientEndpoint,
  readRegistrationEndpoint,
  replaceRegistrationEndpoint,
} from "../../endpoints/oauth/client-configuration.ts";
import { registerEndpoint } from "../../endpoints/oauth/register.ts";
import { provideDeps } from "../../http/runtime.ts";
import { mount } from "../../http/serve.ts";

// An agent's webhook_uri, as client metadata (RFC 7591 §2, RFC 7592; docs/spec/payments.md, Webhooks).

const { POST } = mount(registerEndpoint);
const { GET } = mount(readRegistrationEndpoint);
const { PUT } = mount(replaceRegistrationEndpoint);
const { DELETE } = mount(deleteClientEndpoint);

let deps: TestDeps;
beforeAll(async () => {
  // As in an embedded sandbox
  deps = await createTestDeps({ config: { webhookLoopback: true, outboundLoopback: false } });
});
beforeEach(() => provideDeps(deps));
afterAll(() => deps.close());

type Body = Record<string, unknown>;

const sendRequest = async (
  handler: (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>,
  { url, method, token, body }: { url: string; method: string; token?: string; body?: unknown },
): Promise<{ status: number; body: Body }> => {
  const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const request = new Request(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const params = { client_id: url.split("/").at(-1) ?? "" };
  const response = await handler(request, { params: Promise.resolve(params) });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
};

const register = async (members: Body) => {
  const metadata = { client_name: "Grocer Bot", jwks: { keys: [(await makeKey()).publicJwk] }, ...members };
  return sendRequest(POST, { url: `${deps.config.baseUrl}/oauth/register`, method: "POST", body: metadata });
};
const agent = (members: Body = {}) => register({ redirect_uris: ["http://127.0.0.1/callback"], ...members });
const handlers = { GET, PUT, DELETE };
const configure = (method: keyof typeof handlers, registration: Body, body?: Body) =>
  sendRequest(handlers[method], {
    url: String(registration["registration_client_uri"]),
    method,
    token: String(registration["registration_access_token"]),
    ...(body ? { body } : {}),
  });

const webhook_uri = "https://grocerbot.example/hooks";
const endpointsOf = (registration: Body) =>
  deps.db.prisma.webhookEndpoint.findMany({
    where: { ownerId: String(registration["client_id"]) },
    include: { secrets: true },
  });

describe("webhook_uri", () => {
  test("is returned with the secret and the public key for checking signatures", async () => {
    const { status, body } = await agent({ webhook_uri });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      webhook_uri,
      webhook_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      webhook_public_key: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/),
    });
    expect(await endpointsOf(body)).toMatchObject([{ url: webhook_uri, ownerKind: "client", disabledAt: null }]);
    const read = await configure("GET", body);
    expect(read.body).toEqual(body);
  });

  test("creates no endpoint and no secret if it is omitted", async () => {
    const { body } = await agent();
    expect(Object.keys(body).filter((member) => member.startsWith("webhook"))).toEqual([]);
    expect(await endpointsOf(body)).toEqual([]);
  });

  test("may be on loopback if webhooks may be, even if jwks_uri may not be", async () => {
    const local = "http://127.0.0.1:8401/hooks";
    expect(await agent({ webhook_uri: local })).toMatchObject({ status: 201, body: { webhook_uri: local } });
    const { status, body } = await agent({ jwks: undefined, jwks_uri: "http://127.0.0.1:8401/jwks" });
    expect([status, body["error_description"]]).toEqual([400, expect.stringMatching(/^jwks_uri:/)]);
  });

  test.each([
    "http://grocerbot.example/hooks",
    "https://grocerbot.example:8443/",
    "https://u:p@grocerbot.example/",
    "x",
    1,
  ])("an unusable value is refused, and the error names the member: %s", async (bad) => {
    const { status, body } = await agent({ webhook_uri: bad });
    expect([status, body["error"]]).toEqual([400, "invalid_client_metadata"]);
    expect(body["error_description"]).toMatch(/^webhook_uri:/);
  });

  test("can't be set for a merchant client: a merchant manages its endpoints itself", async () => {
    const grant = { grant_types: ["client_credentials"], scope: "charges.write" };
    const { status, body } = await register({ ...grant, webhook_uri });
    expect([status, body["error"]]).toEqual([400, "invalid_client_metadata"]);
  });

  test("a PUT with another URI keeps the secret, and enables a disabled endpoint again", async () => {
    const { body } = await agent({ webhook_uri });
    await deps.db.prisma.webhookEndpoint.updateMany({
      where: { ownerId: String(body["client_id"]) },
      data: { disabledAt: deps.clock.now(), disabledReason: "failing" },
    });
    const moved = await configure("PUT", body, { ...body, webhook_uri: "https://grocerbot.example/2" });
    expect(moved.status).toBe(200);
    expect(moved.body["webhook_secret"]).toBe(body["webhook_secret"]);
    expect(await endpointsOf(body)).toMatchObject([{ url: "https://grocerbot.example/2", disabledAt: null }]);
  });

  test("is deleted with its endpoint if a PUT omits it (RFC 7592 §2.2), or if the client is deleted", async () => {
    for (const end of ["PUT", "DELETE"] as const) {
      const { body } = await agent({ webhook_uri });
      const { webhook_uri: _, webhook_secret: __, webhook_public_key: ___, ...rest } = body;
      const answer = end === "PUT" ? await configure("PUT", body, rest) : await configure("DELETE", body);
      expect(answer.status).toBe(end === "PUT" ? 200 : 204);
      expect(answer.body["webhook_secret"]).toBeUndefined();
      expect(await endpointsOf(body)).toEqual([]);
    }
  });
});

describe("webhook_secret", () => {
  test("is set by the server: a PUT with a different secret is refused (RFC 7592 §2.2)", async () => {
    const { body } = await agent({ webhook_uri });
    const { status, body: refused } = await configure("PUT", body, { ...body, webhook_secret: "whsec_AAAA" });
    expect([status, refused["error_description"]]).toEqual([400, "webhook_secret: is set by the server: omit it"]);
  });

  test("is replaced on webhook_secret_rotation; the previous secret stays valid for a while, and only the new one is in the metadata", async () => {
    const { body } = await agent({ webhook_uri });
    const rotated = await configure("PUT", body, { ...body, webhook_secret_rotation: true });
    expect(rotated.status).toBe(200);
    expect(rotated.body["webhook_secret"]).not.toBe(body["webhook_secret"]);
    expect(rotated.body["webhook_secret_rotation"]).toBeUndefined();
    const [endpoint] = await endpointsOf(body);
    expect(endpoint?.secrets).toHaveLength(2);
    expect((await configure("GET", rotated.body)).body["webhook_secret"]).toBe(rotated.body["webhook_secret"]);
  });

  test.each([
    ["yes", "must be a boolean"],
    [1, "must be a boolean"],
  ])("isn't replaced if webhook_secret_rotation is %j: the value is refused", async (value, problem) => {
    const { status, body } = await agent({ webhook_uri, webhook_secret_rotation: value });
    expect([status, body["error_description"]]).toEqual([400, `webhook_secret_rotation: ${problem}`]);
  });
});
