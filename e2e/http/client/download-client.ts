import { writeFile } from "node:fs/promises";
import { clientPackagePath } from "#components/docs/client-package.ts";

/** Saves the client package that a server offers. */
export const downloadClient = async (baseUrl: string, file: string): Promise<void> => {
  const response = await fetch(`${baseUrl}${clientPackagePath}`);
  if (!response.ok) throw new Error(`${response.url} responded with ${response.status}`);
  await writeFile(file, new Uint8Array(await response.arrayBuffer()));
};
