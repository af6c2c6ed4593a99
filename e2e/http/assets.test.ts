import { createHash } from "node:crypto";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import { type Manifest, manifestSchema } from "#server/assets/manifest.wire.ts";
import { expectProblem } from "../support/answers/error-shape.ts";
import { send } from "../support/answers/wire.ts";
import { currentInstance } from "../support/instance.ts";

const { sandboxUrl, productionUrl } = currentInstance();
const cdnUrl = `${sandboxUrl}/cdn`;

let manifest: Manifest;
beforeAll(async () => {
  manifest = manifestSchema.parse(await (await fetch(`${cdnUrl}/manifest.json`)).json());
});

const fileOf = (name: string) => {
  const file = manifest.files.find((one) => one.name === name);
  if (!file) throw new Error(`the bundle has no ${name}`);
  return file;
};

describe("the asset bundle (docs/spec/assets.md, Requests)", () => {
  test("both environments have the same files", async () => {
    expect(await (await fetch(`${productionUrl}/cdn/manifest.json`)).json()).toEqual(manifest);
  });

  test("each file of the manifest is served at its path and its alias with the listed integrity value", async () => {
    for (const { path, alias, type, bytes, integrity } of manifest.files) {
      const [stored, newest] = await Promise.all([fetch(`${cdnUrl}/${path}`), fetch(`${cdnUrl}/${alias}`)]);
      for (const answer of [stored, newest]) {
        expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
        const body = new Uint8Array(await answer.arrayBuffer());
        expect(`sha384-${createHash("sha384").update(body).digest("base64")}`).toBe(integrity);
        expect(body.byteLength).toBe(bytes);
        expect(Object.fromEntries(answer.headers)).toMatchObject({
          "access-control-allow-origin": "*",
          "cross-origin-resource-policy": "cross-origin",
          "timing-allow-origin": "*",
          "x-content-type-options": "nosniff",
        });
      }
      expect(stored.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(newest.headers.get("cache-control")).toBe("public, max-age=300");
    }
  });

  test.each([
    ["participant", "directory/v1/participants/ptc_server", (answer: unknown) => [answer]],
    ["participant", "directory/v1/participants", (answer: unknown) => (answer as { data: unknown[] }).data],
    ["participant-change", "directory/v1/changes", (answer: unknown) => (answer as { data: unknown[] }).data],
    [
      "participant-version",
      "directory/v1/participants/ptc_server/history",
      (answer: unknown) => (answer as { data: unknown[] }).data,
    ],
    ["asset-manifest", "cdn/manifest.json", (answer: unknown) => [answer]],
  ])("schema %s accepts what /%s returns (docs/spec/assets.md, JSON Schemas)", async (name, address, documentsIn) => {
    const answer = await fetch(`${cdnUrl}/v1/schemas/${name}.json`);
    expect(answer.headers.get("content-type")).toBe("application/schema+json");
    const schema = (await answer.json()) as { $id: string };
    expect(new URL(schema.$id, answer.url).href).toBe(answer.url);
    const validate = new Ajv2020({ strictTypes: false, validateFormats: false }).compile(schema);
    const documents = documentsIn(await (await fetch(`${sandboxUrl}/${address}`)).json());
    expect(documents.length).toBeGreaterThan(0);
    for (const document of documents) expect([validate(document), validate.errors]).toEqual([true, null]);
  });

  test("a query doesn't change the response, so a page may add a cache buster", async () => {
    const { path, alias } = fileOf("paygrant.js");
    for (const address of [path, alias, "manifest.json", "v1/schemas/participant.json"]) {
      const [plain, versioned] = await Promise.all(
        [address, `${address}?v=1&v=2&utm_source=a`].map((one) => fetch(`${cdnUrl}/${one}`)),
      );
      expect(versioned?.status).toBe(200);
      for (const name of ["etag", "cache-control", "content-type"])
        expect(versioned?.headers.get(name)).toBe(plain?.headers.get(name));
      expect(await versioned?.text()).toBe(await plain?.text());
    }
  });

  test("an unknown schema, and a path that leaves the folder, are 404", async () => {
    for (const path of [
      "v1/schemas/nothing.json",
      "v1/schemas",
      "v1/schemas/..%2Fpaygrant.js",
      "assets/schemas/participant.json",
    ]) {
      expectProblem(await send(`${cdnUrl}/${path}`), 404, "not_found");
    }
  });

  test("sends the build's compressed copies and a range, and answers 304 if the caller's copy is current", async () => {
    const { path, br_bytes: br, gzip_bytes: gzipped, bytes } = fileOf("icon.svg");
    const url = `${cdnUrl}/${path}`;
    for (const [encoding, size] of [
      ["br", br],
      ["gzip", gzipped],
      ["identity", bytes],
    ] as const) {
      const answer = await fetch(url, { headers: { "accept-encoding": encoding } });
      expect(answer.headers.get("content-length")).toBe(String(size));
      const headers = { "accept-encoding": encoding, "if-none-match": answer.headers.get("etag") ?? "" };
      expect((await fetch(url, { headers })).status).toBe(304);
    }
    const part = await fetch(url, { headers: { range: "bytes=0-3" } });
    expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
      206,
      `bytes 0-3/${bytes}`,
      "<svg",
    ]);
    const after = await send(url, { headers: { range: `bytes=${bytes}-` } });
    expectProblem(after, 416, "range_not_satisfiable");
    expect(after.headers.get("content-range")).toBe(`bytes */${bytes}`);
  });

  test.each([
    "",
    "/",
    "/v1",
    "/v1/",
    "/assets/",
    "/v1/nothing.js",
    "/assets/icon.0000000000000000.svg",
    "/v1/icon.svg/",
    "/v1/icon.svg.br",
    "/v1/manifest.json",
    "/v1/..%2f..%2fpackage.json",
    "/v1/..%5c..%5cpackage.json",
    "/v1/%2e%2e%2f%2e%2e%2f.env",
    "/v1/%00",
    "/assets/..%2fmanifest.json",
    "/manifest.json.br",
    "/.inputs",
  ])("answers %j with a 404 problem: no listing, no traversal", async (path) => {
    expectProblem(await send(`${cdnUrl}${path}`), 404, "not_found");
  });

  test("refuses other methods", async () => {
    expectProblem(await send(`${cdnUrl}/v1/icon.svg`, { method: "PUT" }), 405, "method_not_allowed");
  });
});

describe("the status badge (docs/spec/assets.md, Status badge)", () => {
  test("refuses an unknown parameter by name, because a misspelled component must not show all components", async () => {
    for (const file of ["status-badge.svg", "status-badge.json"]) {
      const refused = await send(`${cdnUrl}/v1/${file}?komponent=sandbox`);
      expectProblem(refused, 400, "invalid_request");
      expect(refused.text).toContain("komponent");
    }
  });

  test.each([
    ["", null, "Paygrant"],
    ["?component=authorization_server", "authorization_server", "Authorization server"],
  ])(
    "%j is served as a picture and as data, both with the state of the status page",
    async (query, component, name) => {
      const picture = await send(`${cdnUrl}/v1/status-badge.svg${query}`);
      const data = await send(`${cdnUrl}/v1/status-badge.json${query}`);
      const label = String(data.json?.["label"]);
      expect(data.json).toMatchObject({ component, name, status_url: process.env["E2E_STATUS_URL"] });
      expect(picture.headers.get("content-type")).toBe("image/svg+xml");
      expect(picture.text).toContain(`<title>${name}: ${label}</title>`);
      expect(picture.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
      const headers = { "if-none-match": picture.headers.get("etag") ?? "" };
      expect((await send(`${cdnUrl}/v1/status-badge.svg${query}`, { headers })).status).toBe(304);
      const summary = await (await fetch(`${process.env["E2E_STATUS_URL"]}/status/v1/summary`)).json();
      const found = summary.components.find(({ id }: { id: string }) => id === component) ?? summary.overall;
      expect(["unknown", found.state]).toContain(data.json?.["state"]);
    },
  );

  test("an unknown component is refused by name", async () => {
    const refused = await send(`${cdnUrl}/v1/status-badge.svg?component=nothing`);
    expectProblem(refused, 400, "invalid_request");
    expect(refused.text).toContain("component");
  });
});
