import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { curlSnippets } from "./curl-snippets.ts";
import { nodeSnippets } from "./node-snippets.ts";
import { paygrantSnippets } from "./paygrant-snippets.ts";
import { pythonSnippets } from "./python-snippets.ts";
import { fillSnippet, snippetSteps } from "./snippet.ts";

const values = { issuer: "https://as.example", clientId: "cl_1", merchantId: "mch_1", kid: "key-1" };

describe.each([
  ["Node", nodeSnippets],
  ["Node with the client package", paygrantSnippets],
  ["Python", pythonSnippets],
  ["curl", curlSnippets],
])("%s", (_, snippets) => {
  test.each(snippetSteps)("step %s has every placeholder filled, and lines that fit on the page", (step) => {
    const code = fillSnippet(snippets[step].code, values);
    expect(code).not.toMatch(/\{\{|\}\}/);
    expect(code.split("\n").filter((line) => line.length > 120)).toEqual([]);
  });
});

test("the setup code installs the current version of the client package from the server", async () => {
  const { version } = JSON.parse(await readFile("packages/client/package.json", "utf8"));
  expect(paygrantSnippets.setup.code).toContain(`npm install {{issuer}}/packages/paygrant-client-${version}.tgz`);
});

test("insecure requests are allowed only for an http issuer", () => {
  const code = nodeSnippets.token.code;
  expect(fillSnippet(code, values)).not.toContain("allowInsecureRequests");
  expect(fillSnippet(code, { ...values, issuer: "http://localhost:3001" })).toContain("allowInsecureRequests");
});

test("a value that could change the code, such as a kid with a quote, is refused", () => {
  const kid = '"; rm -rf /';
  expect(() => fillSnippet(curlSnippets.token.code, { ...values, kid })).toThrow(/isn't safe/);
});
