import { parseArgs } from "node:util";
import { StartError } from "../supervisor/steps.ts";

type Flags = Readonly<Record<string, { type: "boolean" }>>;

/** Reads the name of one file, and flags. @throws StartError with the usage. */
export const readArguments = (usage: string, options: Flags): { file: string; flags: ReadonlySet<string> } => {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const [file, ...rest] = positionals;
    if (file === undefined || rest.length > 0) throw new Error("name one file");
    return { file, flags: new Set(Object.keys(values)) };
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
};
