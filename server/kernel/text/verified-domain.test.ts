import { expect, test } from "vitest";
import { clientDomain } from "./verified-domain.ts";

const domains = ["bot.example", "grocer.example"];

test.each([
  { uris: ["https://grocer.example/cb"], domain: "grocer.example" },
  { uris: ["https://app.grocer.example:8443/cb"], domain: "grocer.example" },
  { uris: ["https://GROCER.example/cb", "https://bot.example/cb"], domain: "grocer.example" },
  { uris: ["https://notgrocer.example/cb"], domain: null },
  { uris: ["https://grocer.example.other.example/cb"], domain: null },
  { uris: ["https://grocer.example@other.example/cb"], domain: null },
  { uris: ["http://grocer.example/cb"], domain: null },
  { uris: ["example.grocer:/cb"], domain: null },
  { uris: ["https://grocer.example/cb", "http://127.0.0.1/cb"], domain: null },
  { uris: ["not an address"], domain: null },
  { uris: [], domain: null },
])("a client that returns to $uris is shown as verified with the domain $domain", ({ uris, domain }) => {
  expect(clientDomain(uris, domains)).toBe(domain);
});
