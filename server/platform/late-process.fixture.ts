import { setTimeout as sleep } from "node:timers/promises";
import { onShutdown } from "./lifecycle.ts";

// A process that starts slowly. It prints when it has started and when it has stopped.
const silent = { debug() {}, info() {}, warn() {}, error() {}, request() {} };
await sleep(Number(process.argv[2]));
onShutdown(async () => void process.stdout.write("stopped"), silent);
setInterval(() => {}, 1_000);
process.stdout.write("started ");
