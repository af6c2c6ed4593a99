import { createServer } from "node:http";
import path from "node:path";
import next from "next";
import { compose } from "#server/compose.ts";
import { provideDeps } from "#server/http/runtime.ts";
import { readVariables, toConfig } from "#server/platform/config.ts";
import { createLog } from "#server/platform/log.ts";

/** A server without the gateway: every request goes to Next, which calls the route handlers that it has bundled. */
const config = toConfig(readVariables(process.env));
provideDeps(await compose(config, createLog({ role: "web", environment: config.environment }, "warn")));
const pages = next({ dev: false, dir: path.resolve("."), hostname: "localhost", port: config.port });
await pages.prepare();
const handle = pages.getRequestHandler();
const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" ? address?.port : null });
});
process.on("disconnect", () => process.exit(0));
