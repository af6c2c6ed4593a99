import { parseArgs } from "node:util";
import { currencyProblem, isCurrency } from "../../kernel/money/money.ts";

export type PlansArguments = { isSandbox: boolean } & (
  | { command: "apply"; file: string; isDryRun: boolean; isJson: boolean }
  | { command: "export" }
  | { command: "assign"; merchantId: string; planId: string; currency: string | null; version: number | null }
);

const options = {
  sandbox: { type: "boolean", default: false },
  "dry-run": { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  merchant: { type: "string" },
  plan: { type: "string" },
  version: { type: "string" },
  currency: { type: "string" },
} as const;

/** @throws Error with one line that names the invalid argument. */
export const readPlansArguments = (args: readonly string[]): PlansArguments => {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  const [command = "", ...rest] = positionals;
  const isSandbox = values.sandbox;
  if (command !== "apply") {
    for (const name of ["dry-run", "json"] as const) if (values[name]) throw new Error(`--${name}: only for apply`);
  }
  if (command !== "assign") {
    for (const name of ["merchant", "plan", "version", "currency"] as const)
      if (values[name] !== undefined) throw new Error(`--${name}: only for assign`);
  }
  switch (command) {
    case "apply": {
      const [file, ...others] = rest;
      if (file === undefined || others.length > 0) throw new Error("apply: specify exactly one file");
      return { command, isSandbox, file, isDryRun: values["dry-run"], isJson: values.json };
    }
    case "export":
      if (rest.length > 0) throw new Error(`export: takes no file (${rest.join(" ")}); redirect the output instead`);
      return { command, isSandbox };
    case "assign": {
      const { merchant: merchantId, plan: planId, currency = null } = values;
      if (rest.length > 0) throw new Error(`assign: takes no file (${rest.join(" ")})`);
      if (merchantId === undefined || planId === undefined) throw new Error("assign: use --merchant mch_… --plan ID");
      if (currency !== null && !isCurrency(currency)) throw new Error(`--currency: ${currencyProblem}`);
      return { command, isSandbox, merchantId, planId, currency, version: toVersion(values.version) };
    }
    default:
      throw new Error(`${command || "no command"}: use apply FILE, export or assign`);
  }
};

const toVersion = (text: string | undefined): number | null => {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error("--version: must be a whole number of at least 1");
  return Number(text);
};
