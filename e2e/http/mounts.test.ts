import { type ChildProcess, fork } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sha256Base64url } from "#server/kernel/crypto/hash.ts";
import { fillPath, isStatus, listOperations, type Operation } from "../support/answers/openapi-operations.ts";
import { type Answer, formType, postForm, postJson, send, textOf } from "../support/answers/wire.ts";
import { currentInstance, databaseUrlOf } from "../support/instance.ts";
import { assertionType, makeKey, signAssertion } from "../support/oauth/oauth-client.ts";

let nextProcess: ChildProcess;
let nextUrl: string;
let operations: Operation[];

beforeAll(async () => {
  const { sandboxUrl, productionUrl, dataDirectory } = currentInstance();
  const secrets = JSON.parse(await readFile(path.join(dataDirectory, "secrets.json"), "utf8"));
  nextProcess = fork(path.resolve("e2e/http/next-mount-process.ts"), {
    execArgv: ["--disable-warning=ExperimentalWarning"],
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      NODE_ENV: "production",
      PAYGRANT_ENVIRONMENT: "sandbox",
      BASE_URL: sandboxUrl,
      SANDBOX_PORT: new URL(sandboxUrl).port,
      PRODUCTION_URL: productionUrl,
      PRODUCTION_FINGERPRINTS: ["a", "b", "c"].map((text) => sha256Base64url(text)).join(","),
      STATUS_URL: process.env["E2E_STATUS_URL"],
      DATABASE_URL: databaseUrlOf("sandbox"),
      MASTER_KEY: secrets.sandbox.masterKey,
      DATA_DIR: path.join(dataDirectory, "sandbox"),
      SIMULATOR_URL: process.env["E2E_SANDBOX_SIMULATOR_URL"],
      SIMULATOR_KEY: secrets.sandbox.simulatorKey,
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    nextProcess.once("message", (message: { port: number }) => resolve(message.port));
    nextProcess.once("exit", (code) => reject(new Error(`the Next process ended with ${code}`)));
  });
  nextUrl = `http://127.0.0.1:${port}`;
  operations = (await listOperations(sandboxUrl)).filter((operation) => !isStatus(operation));
});
afterAll(() => {
  nextProcess?.disconnect();
});

/** Values that differ in every response of the gateway and of Next. */
const unsteady = new Set([
  "date",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "x-request-id",
  "dpop-nonce",
  // Headers that a proxy in between adds.
  "server",
]);

/** Headers that Next's router always adds to its pages. */
const nextVaryNames = /^(rsc|next-.*|accept-encoding)$/i;

/** Headers that the gateway sets on every answer before the handler can override them. */
const ofEveryAnswer: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
  "referrer-policy": "same-origin",
  "x-frame-options": "DENY",
};

const headersOf = (headers: Headers): Record<string, string> => {
  const kept = Object.fromEntries(
    [...headers].filter(([name, value]) => !unsteady.has(name) && ofEveryAnswer[name] !== value).sort(),
  );
  const vary = (kept["vary"] ?? "").split(", ").filter((name) => name !== "" && !nextVaryNames.test(name));
  const { vary: _vary, ...others } = kept;
  return vary.length > 0 ? { ...others, vary: vary.join(", ") } : others;
};

const comparable = (answer: Answer) => ({
  status: answer.status,
  headers: headersOf(answer.headers),
  body: answer.text.replaceAll(/req_\w+/g, "req_"),
});

type Init = Parameters<typeof send>[1];

const bothAnswers = async (address: string, init: Init = {}) => {
  // Next would compress the response. The gateway leaves compression to a proxy.
  const plain = { ...init, headers: { ...init?.headers, "accept-encoding": "identity" } };
  const [gateway, next] = await Promise.all([
    send(`${currentInstance().sandboxUrl}${address}`, plain),
    send(`${nextUrl}${address}`, plain),
  ]);
  return [comparable(gateway), comparable(next)] as const;
};

describe("the gateway and Next call the same handlers and give the same answers, byte for byte", () => {
  const variants: [string, (operation: Operation) => Init][] = [
    [
      "without credentials",
      ({ method, content }) =>
        content
          ? { method, headers: { "content-type": content }, body: content === formType ? "a=1" : "{}" }
          : { method },
    ],
    [
      "with another content type",
      ({ method, content }) =>
        content ? { method, headers: { "content-type": "text/plain" }, body: "x" } : { method },
    ],
    ["with a wrong method", () => ({ method: "PATCH" })],
    ["with OPTIONS", () => ({ method: "OPTIONS" })],
    ["with HEAD", () => ({ method: "HEAD" })],
    [
      "with a made-up token",
      ({ method, content }) => ({
        method,
        headers: { authorization: "Bearer made.up.token", ...(content ? { "content-type": content } : {}) },
        ...(content ? { body: "{}" } : {}),
      }),
    ],
  ];

  /** These documents may be served up to two seconds late. When the two answers differ, both are requested again. */
  const isDelayed = ({ path }: Operation) =>
    ["/.well-known/jwks.json", "/directory/log/checkpoint"].includes(path) || path.startsWith("/oauth/status-list");
  const isSigned = ({ path }: Operation) =>
    ["/.well-known/client-key-list", "/directory/federation/historical-keys"].includes(path) ||
    path.endsWith("/.well-known/openid-federation");
  const settledAnswers = async (operation: Operation, init: Init) => {
    for (let tries = 1; ; tries += 1) {
      const answers = await bothAnswers(fillPath(operation.path, {}), init);
      if (!isDelayed(operation) || tries === 30 || isDeepStrictEqual(...answers)) return answers;
      await sleep(500);
    }
  };

  test.each(variants)("every operation %s", async (_title, initOf) => {
    expect(operations.length).toBeGreaterThan(20);
    for (const operation of operations) {
      const [gateway, next] = await settledAnswers(operation, initOf(operation));
      // Signed separately for every reader.
      if (isSigned(operation)) gateway.body = next.body;
      // The time differs slightly between the two answers.
      if (operation.title === "GET /sandbox/clock") gateway.body = next.body;
      // The state of the database and the keys may change between the two answers.
      if (operation.path === "/readyz") gateway.body = next.body;
      expect({ operation: operation.title, ...next }).toEqual({ operation: operation.title, ...gateway });
    }
  });

  test("files of the asset bundle", async () => {
    const [file] = (await (await fetch(`${currentInstance().sandboxUrl}/cdn/manifest.json`)).json()).files;
    for (const address of ["manifest.json", file.path, file.alias]) {
      for (const headers of [{}, { range: "bytes=1-4" }, { "if-none-match": "*" }]) {
        const [gateway, next] = await bothAnswers(`/cdn/${address}`, { headers });
        expect(next).toEqual(gateway);
      }
    }
  });

  test("an authenticated call", async () => {
    const { sandboxUrl } = currentInstance();
    const key = await makeKey();
    const registered = await postJson(`${sandboxUrl}/oauth/register`, {
      client_name: "Two mounts",
      grant_types: ["client_credentials"],
      scope: "charges.read",
      jwks: { keys: [key.publicJwk] },
    });
    const client = { id: textOf(registered, "client_id"), privateKey: key.privateKey };
    const introspect = async (baseUrl: string) =>
      postForm(
        `${baseUrl}/oauth/introspect`,
        {
          client_assertion_type: assertionType,
          client_assertion: await signAssertion(client, sandboxUrl),
          token: "unknown",
        },
        { "accept-encoding": "identity" },
      );
    const [gateway, next] = [await introspect(sandboxUrl), await introspect(nextUrl)];
    expect(gateway.text).toBe('{"active":false}');
    expect(comparable(next)).toEqual(comparable(gateway));
  });
});
