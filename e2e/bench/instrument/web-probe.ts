import { writeFile } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import pg from "pg";
import { takeOwnShare, watchOwnShare } from "./own-share.ts";

// Loaded into a web process or worker of the bench before server/main.ts: counts statements to PostgreSQL, measures
// our own share of each request's time, and profiles on demand.
type Command =
  | { command: "statements" }
  | { command: "own_share" }
  | { command: "start_profile" }
  | { command: "write_profile"; file: string };

let statements = 0;
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function countedQuery(this: pg.Client, ...args: unknown[]) {
  statements++;
  return Reflect.apply(query, this, args);
} as typeof query;

watchOwnShare();
const session = new Session();
session.connect();

const runCommand = async (command: Command): Promise<object> => {
  if (command.command === "own_share") return { milliseconds: takeOwnShare() };
  if (command.command === "start_profile") {
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval: 200 });
    await session.post("Profiler.start");
  } else if (command.command === "write_profile") {
    const { profile } = await session.post("Profiler.stop");
    await writeFile(command.file, JSON.stringify(profile));
  }
  return { statements };
};

process.on("message", (command: Command) => {
  runCommand(command).then((answer) => process.send?.(answer));
});
