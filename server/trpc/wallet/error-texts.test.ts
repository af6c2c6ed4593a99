import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { catalogues } from "../../kernel/messages/catalogues.ts";
import { mandateStates } from "../../mandates/rules/transitions.ts";

/** All modules that the wallet's procedures import, except types. */
const reachable = (entries: readonly string[]): string[] => {
  const found = new Set<string>();
  const open = entries.map((path) => resolve(path));
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path) || !existsSync(path)) continue;
    found.add(path);
    const imports = readFileSync(path, "utf8").matchAll(/^(?:import|export)\s+(?!type\b)[^;]*?from\s+"(\.[^"]+)"/gms);
    for (const [, target = ""] of imports) open.push(resolve(dirname(path), target));
  }
  return [...found];
};

const procedures = globSync("server/trpc/wallet/*.ts", { exclude: ["**/*.test.ts"] });
const codes = new Set(
  reachable([...procedures, "server/trpc/init.ts"]).flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/code: "([a-z_]+)"/g)].map(([, code = ""]) => code),
  ),
);

/** Codes of these modules that no procedure for payers returns. */
const others = [
  // For operators, in English.
  "second_factor_required",
  // Used only inside the rules of mandates; payers get a code with the mandate's state instead.
  "not_allowed",
  // Why a charge was declined, not why a request was refused.
  "not_submitted",
  "declined_by_payer",
  "card_declined",
  // For merchants and their clients, in English.
  "processor_refused",
  "idempotency_key_reused",
  "idempotency_key_in_use",
  // The page that an e-mail's notification link opens has its own text.
  "mail_choice_not_found",
];
const composed = [
  ...mandateStates.map((state) => `mandate_${state}`),
  ...["approved", "declined", "expired", "withdrawn"].map((state) => `approval_${state}`),
];

describe("errors in the payer's language (docs/spec/portal.md, Languages)", () => {
  test.each(Object.entries(catalogues))(
    "each code of the wallet's procedures has a text: %s",
    (_language, { acts }) => {
      expect(codes.size).toBeGreaterThan(30);
      const missing = [...codes, ...composed].filter((code) => !(code in acts.reasons) && !others.includes(code));
      expect(missing).toEqual([]);
    },
  );

  test("every excepted code exists", () => {
    expect(others.filter((code) => !codes.has(code))).toEqual([]);
  });
});
