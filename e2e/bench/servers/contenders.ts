import path from "node:path";
import { findFreePorts } from "#server/cli/checks/free-ports.ts";
import { youngSpace } from "#server/cli/supervisor/launch.ts";
import { makeClientKey, redirectUri } from "../actors.ts";
import type { Signer } from "../load/job.ts";
import { type Child, startChild } from "./child.ts";
import type { PeerOptions } from "./peer-wire.ts";

const clientId = "bench-client";

export type Peer = { port: number; pid: number; issuer: string; signer: Signer; child: Child };

/** oidc-provider or the baseline: a separate process on a free port, with one known client. */
export const startPeer = async (script: "peer.ts" | "crypto-limit.ts"): Promise<Peer> => {
  const [port = 0] = await findFreePorts(1);
  const issuer = `http://localhost:${port}`;
  const { privateJwk, publicJwk } = await makeClientKey();
  const options: PeerOptions = { port, issuer, clientId, clientJwk: publicJwk, redirectUri };
  const child = await startChild(path.join(import.meta.dirname, script), { args: [JSON.stringify(options)] });
  const pid = child.process.pid ?? 0;
  return { port, pid, issuer, child, signer: { clientId, kid: "bench", privateJwk, audience: issuer } as Signer };
};

/** The load generator. */
export const startLoadGenerator = (): Promise<Child> =>
  startChild(path.join(import.meta.dirname, "../load/process.ts"), { isReadyAtOnce: true, execArgv: youngSpace });

const startProbed = async (role: "web" | "worker", environment: (port: number) => NodeJS.ProcessEnv) => {
  const [port = 0] = await findFreePorts(1);
  const child = await startChild(path.join(import.meta.dirname, "../../../server/main.ts"), {
    args: ["--role", role],
    execArgv: [...youngSpace, "--import", path.join(import.meta.dirname, "../instrument/web-probe.ts")],
    env: environment(port),
  });
  return { port, child };
};

/** One more web process of the sandbox, which counts its statements and can be profiled. */
export const startProbedWeb = (webEnvironment: (port: number) => NodeJS.ProcessEnv) =>
  startProbed("web", webEnvironment);

/** One more worker of the sandbox, which counts its statements. */
export const startProbedWorker = (webEnvironment: (port: number) => NodeJS.ProcessEnv) =>
  startProbed("worker", webEnvironment);
