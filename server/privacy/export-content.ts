import { once } from "node:events";
import { createGzip, gunzipSync } from "node:zlib";
import { findAccountRecord, readRecords, recordSections } from "../data/privacy/account-records.ts";
import type { Deps } from "../deps/deps.ts";
import { type ByteSealer, createByteSealer } from "../kernel/crypto/seal.ts";

const sealerOf = ({ config }: Pick<Deps, "config">): ByteSealer => createByteSealer(config.masterKey, "data_export");

/** Everything that is stored about an account: one JSON document, compressed while it is read and then encrypted. */
export const writeExportContent = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { id, accountId }: { id: string; accountId: string },
): Promise<Uint8Array<ArrayBuffer>> => {
  const zip = createGzip();
  const parts: Buffer[] = [];
  zip.on("data", (part: Buffer) => parts.push(part));
  const ended = once(zip, "end");
  const write = async (text: string) => {
    if (!zip.write(text)) await once(zip, "drain");
  };
  await write(`{"exported_at":${JSON.stringify(deps.clock.now())},"account":`);
  await write(JSON.stringify(await findAccountRecord(deps.db.sql, accountId)));
  for (const section of recordSections) {
    await write(`,"${section}":[`);
    let separator = "";
    for await (const rows of readRecords(deps.db.sql, { section, accountId })) {
      await write(separator + rows.map((row) => JSON.stringify(row)).join(","));
      separator = ",";
    }
    await write("]");
  }
  zip.end("}");
  await ended;
  return Uint8Array.from(sealerOf(deps).seal(Buffer.concat(parts), id));
};

/** @returns the JSON document. */
export const readExportContent = (
  deps: Pick<Deps, "config">,
  { id, content }: { id: string; content: Uint8Array },
): Buffer => gunzipSync(sealerOf(deps).open(content, id));
