import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { registrationCommand } from "./registration-command.ts";

const url = "https://as.example/oauth/register";
const publicJwk = { kty: "EC", crv: "P-256", x: "x", y: "y", kid: "k" };

/** The arguments that a shell passes to curl. */
const argumentsOf = (command: string): string[] =>
  execFileSync("/bin/sh", ["-c", `curl() { printf '%s\\0' "$@"; }\n${command}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);

describe("the request that registers a client with a new token (RFC 7591 §3.1)", () => {
  test("passes one URL, two headers and a body to curl", () => {
    const scopes = ["charges.read", "charges.write"];
    const sent = argumentsOf(registrationCommand({ url, token: "secret", kind: "merchant", scopes, publicJwk }));
    const body = JSON.parse(sent.pop() ?? "");
    expect(sent).toEqual([url, "-H", "Authorization: Bearer secret", "-H", "Content-Type: application/json", "-d"]);
    expect(body).toEqual({
      client_name: "My app",
      grant_types: ["client_credentials"],
      scope: "charges.read charges.write",
      jwks: { keys: [publicJwk] },
    });
  });

  test("contains redirect URIs for an agent, and a placeholder while there is no key", () => {
    const command = registrationCommand({ url, token: "secret", kind: "agent", scopes: ["a"], publicJwk: null });
    const body = JSON.parse(argumentsOf(command).at(-1) ?? "");
    expect(body).toMatchObject({
      redirect_uris: [expect.any(String)],
      jwks: { keys: [expect.stringContaining("JWK")] },
    });
  });
});
