import { parseArgs } from "node:util";

export type PlansArguments = { isSandbox: boolean } & (
  | { command: "apply"; file: string; isDryRun: boolean; isJson: boolean }
  | { command: "export" }
);

const options = {
  sandbox: { type: "boolean", default: false },
  "dry-run": { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const;

/** @throws Error with one line that names the invalid argument. */
export const readPlansArguments = (args: readonly string[]): PlansArguments => {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  const [command = "", ...rest] = positionals;
  const isSandbox = values.sandbox;
  if (command !== "apply") {
    for (const name of ["dry-run", "json"] as const) if (values[name]) throw new Error(`--${name}: only for apply`);
  }
  switch (command) {
    case "apply": {
      const [file, ...others] = rest;
      if (file === undefined || others.length > 0) throw new Error("apply: name one file");
      return { command, isSandbox, file, isDryRun: values["dry-run"], isJson: values.json };
    }
    case "export":
      if (rest.length > 0) throw new Error(`export: takes no file (${rest.join(" ")}); redirect the output instead`);
      return { command, isSandbox };
    default:
      throw new Error(`${command || "no command"}: use apply FILE or export`);
  }
};
