import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { expect, test } from "vitest";
import { clientLibraries } from "./client-libraries.ts";

const insecure: Readonly<Record<string, string>> = {
  "openid-client": "execute: [client.allowInsecureRequests]",
  oauth4webapi: "[oauth.allowInsecureRequests]: true",
};

test.each(Object.entries(insecure))("the %s example allows http only for an http issuer", (name, option) => {
  const code = clientLibraries.find((library) => library.name === name)?.code ?? expect.fail(name);
  expect(code("http://localhost:3001")).toContain(option);
  expect(code("https://pay.example")).not.toContain("allowInsecureRequests");
});

test("the options of the examples exist in the libraries", () => {
  expect([typeof client.allowInsecureRequests, typeof oauth.allowInsecureRequests]).toEqual(["function", "symbol"]);
});
