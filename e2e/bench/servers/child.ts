import { type ChildProcess, fork } from "node:child_process";

export type Child = { process: ChildProcess; stop(): Promise<void> };

/** Starts a script of this repository and waits until it reports that it is ready. */
export const startChild = async (
  script: string,
  options: {
    args?: readonly string[];
    execArgv?: readonly string[];
    env?: NodeJS.ProcessEnv;
    isReadyAtOnce?: boolean;
  } = {},
): Promise<Child> => {
  const child = fork(script, [...(options.args ?? [])], {
    execArgv: ["--disable-warning=ExperimentalWarning", ...(options.execArgv ?? [])],
    env: options.env ?? { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    serialization: "advanced",
  });
  let complaint = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    complaint = (complaint + chunk).slice(-4000);
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  if (!options.isReadyAtOnce) {
    await new Promise<void>((resolve, reject) => {
      child.once("message", () => resolve());
      child.once("exit", (code) => reject(new Error(`${script} ended with ${code}:\n${complaint}`)));
    });
  }
  return {
    process: child,
    async stop() {
      child.kill("SIGTERM");
      const patience = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await exited;
      clearTimeout(patience);
    },
  };
};

/** Sends one message and resolves with the reply. */
export const sendToChild = <T>(child: Child, message: object): Promise<T> =>
  new Promise((resolve, reject) => {
    const done = () => {
      child.process.off("message", take);
      child.process.off("exit", gone);
    };
    const take = (answer: unknown) => {
      done();
      resolve(answer as T);
    };
    const gone = () => {
      done();
      reject(new Error("the process ended"));
    };
    child.process.once("message", take);
    child.process.once("exit", gone);
    child.process.send(message);
  });
