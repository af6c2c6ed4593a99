import { mkdir, open, readFile, rename } from "node:fs/promises";
import path from "node:path";
import type { Log } from "../../deps/deps.ts";
import type { Sealer } from "../../kernel/crypto/seal.ts";
import { syncDirectory } from "../../kernel/sync-directory.ts";

/** An encrypted text file of the status process. */
export type SealedFile = {
  /** @returns null if there is no file, or if this process can't decrypt it. */
  read(): Promise<string | null>;
  /** Atomic. */
  write(text: string): Promise<void>;
};

/** @param options.context context of the seal. Change it when the format changes, so that old files aren't read. */
export const openSealedFile = (options: {
  directory: string;
  name: string;
  context: string;
  sealer: Sealer;
  log: Log;
}): SealedFile => {
  const { directory, name, context, sealer, log } = options;
  const file = path.join(directory, name);
  return {
    async read() {
      const sealed = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return null;
        throw error;
      });
      if (sealed === null) return null;
      try {
        return sealer.open(sealed, context);
      } catch (error) {
        log.warn({ err: error, file: name }, "a sealed file of the status process can't be opened: it is ignored");
        return null;
      }
    },
    async write(text) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const draft = await open(`${file}.new`, "w", 0o600);
      try {
        await draft.writeFile(sealer.seal(text, context));
        await draft.sync();
      } finally {
        await draft.close();
      }
      await rename(`${file}.new`, file);
      await syncDirectory(directory);
    },
  };
};
