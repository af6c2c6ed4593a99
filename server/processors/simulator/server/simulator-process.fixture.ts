import { startSimulator } from "./server.ts";

/** The simulator as a process that can be killed. Arguments: port, data directory, key. */
const [port = "0", dataDirectory = "", key = ""] = process.argv.slice(2);
const log = { debug() {}, info() {}, warn() {}, error: console.error, request() {} };
const simulator = await startSimulator({
  port: Number(port),
  dataDirectory,
  key,
  webhookUrl: null,
  log,
  latency: [5, 40],
});
console.log(JSON.stringify({ port: simulator.port }));
