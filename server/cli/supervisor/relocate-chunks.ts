import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { StartError } from "./steps.ts";

/**
 * The setting with the base URL from which Turbopack's runtime loads further scripts. Without the setting, the base URL
 * is `/_next/`.
 */
const setting = "TURBOPACK_CHUNK_BASE_PATH";
const statement = `self.${setting}=document.currentScript.getAttribute("src").replace(/static\\/chunks\\/[^/]*$/,"");`;

/**
 * Makes the runtime load further scripts from the base URL from which the browser loaded the runtime itself. So one
 * build works with every CDN_URL.
 * @throws StartError if the build has no runtime, or if its runtime doesn't read the setting.
 */
export const relocateChunks = async (root: string): Promise<void> => {
  const folder = path.join(root, ".next/static/chunks");
  const names = (await readdir(folder)).filter((name) => /^turbopack-.*\.js$/.test(name));
  if (names.length === 0) throw new StartError(`No runtime of Turbopack is in ${folder}.`);
  await Promise.all(names.map((name) => addStatement(path.join(folder, name))));
};

const addStatement = async (file: string): Promise<void> => {
  const script = await readFile(file, "utf8");
  if (script.startsWith(statement)) return;
  if (!script.includes(setting)) throw new StartError(`${file} doesn't read ${setting}.`);
  await writeFile(file, statement + script);
};
