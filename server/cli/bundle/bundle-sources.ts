import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** A file of the bundle before it is compressed. */
export type BundleSource = { name: string; bytes: Uint8Array };

const fonts = "node_modules/@fontsource-variable";

/**
 * Files of other folders, by their name in the bundle. The licence of each font must be published together with the
 * font.
 */
const copied: Readonly<Record<string, string>> = {
  "icon.svg": "app/icon.svg",
  "icon.png": "app/apple-icon.png",
  "favicon.ico": "app/favicon.ico",
  "inter.woff2": `${fonts}/inter/files/inter-latin-wght-normal.woff2`,
  "inter-license.txt": `${fonts}/inter/LICENSE`,
  "jetbrains-mono.woff2": `${fonts}/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2`,
  "jetbrains-mono-license.txt": `${fonts}/jetbrains-mono/LICENSE`,
};

const pictures = "components/cdn/pictures";

/** The files and folders from which the bundle is built. If one changes, the bundle must be built again. */
export const bundleInputs: readonly string[] = [
  "components/cdn",
  "server/cli/bundle",
  ...["assets", "charges", "directory", "kernel", "mandates", "data/webhooks"].map((folder) => `server/${folder}`),
  "package.json",
  "package-lock.json",
  ...Object.values(copied).filter((file) => file.startsWith("app/")),
];

/** Pictures, icons and fonts. */
export const readStaticSources = async (root: string): Promise<BundleSource[]> => {
  const drawn = (await readdir(path.join(root, pictures))).map((name) => [name, `${pictures}/${name}`] as const);
  return Promise.all(
    [...drawn, ...Object.entries(copied)].map(async ([name, file]) => ({
      name,
      bytes: new Uint8Array(await readFile(path.join(root, file))),
    })),
  );
};
