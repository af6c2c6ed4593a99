import path from "node:path";
import { type OutputOptions, rolldown } from "rolldown";
import type { BundleSource } from "./bundle-sources.ts";

const entries = "components/cdn/entries";

/** The scripts, by their name in the bundle. A classic script may have a global object with its exports. */
const scripts: readonly { name: string; entry: string; output: OutputOptions }[] = [
  { name: "paygrant.js", entry: "paygrant.ts", output: { format: "iife", name: "Paygrant" } },
  { name: "paygrant.mjs", entry: "paygrant-module.ts", output: { format: "es" } },
  { name: "status-badge.js", entry: "status-badge.ts", output: { format: "iife" } },
];

const bundleScript = async (root: string, { name, entry, output }: (typeof scripts)[number]): Promise<BundleSource> => {
  const build = await rolldown({ input: path.join(root, entries, entry), cwd: root, platform: "browser" });
  try {
    const { output: chunks } = await build.generate({ ...output, minify: true });
    const [chunk, ...others] = chunks;
    if (others.length > 0) throw new Error(`${entry} must become one file`);
    return { name, bytes: new TextEncoder().encode(chunk.code) };
  } finally {
    await build.close();
  }
};

/** Each script with everything that it imports, in one minified file. */
export const bundleScripts = (root: string): Promise<BundleSource[]> =>
  Promise.all(scripts.map((script) => bundleScript(root, script)));
