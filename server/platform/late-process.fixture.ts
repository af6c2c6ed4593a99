import { setTimeout as sleep } from "node:timers/promises";
import { onShutdown } from "./lifecycle.ts";

// A process that starts slowly, and prints what happened when it ends.
const silent = { debug() {}, info() {}, warn() {}, error() {}, request() {} };
await sleep(Number(process.argv[2]));
onShutdown(async () => void process.stdout.write("stopped"), silent);
setInterval(() => {}, 1_000);
process.stdout.write("started ");
