import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import path from "node:path";
import type { Log } from "../../deps/deps.ts";
import type { RunAs } from "../../platform/embedded/cluster.ts";
import { type SupervisedProcess, supervise } from "../supervisor/supervised.ts";

type Program = {
  name: string;
  command: readonly [string, ...string[]];
  environment?: NodeJS.Dict<string>;
  /** another user, for programs that refuse to run as root */
  runAs?: RunAs;
};

/** @returns a function that keeps a program running and writes the program's output to a file in `directory`. */
export const programKeeper =
  (directory: string, log: Log) =>
  ({ name, command, environment = {}, runAs = { prefix: [], options: {} } }: Program): SupervisedProcess => {
    const output = openSync(path.join(directory, `${name}.log`), "a", 0o600);
    // The kernel stops the program when this process ends for any reason.
    const [first = "", ...rest] = [...runAs.prefix, "setpriv", "--pdeathsig=TERM", "--", ...command];
    const launch = () =>
      spawn(first, rest, {
        ...runAs.options,
        cwd: "/",
        env: { PATH: process.env["PATH"], LC_ALL: "C.UTF-8", TZ: "UTC", NODE_ENV: "production", ...environment },
        stdio: ["ignore", output, output],
        // The program gets a separate session, because a Ctrl-C at the terminal must not stop the database first.
        detached: true,
      });
    return supervise(name, launch, log);
  };
