import type { NodeHandler } from "../../contract/node-handler.ts";
import type { Config } from "../../deps/config.ts";
import type { Log, RequestInfo } from "../../deps/deps.ts";
import type { DomainError } from "../../kernel/errors.ts";
import type { Route } from "./routes.ts";

export type GatewayOptions = {
  config: Pick<Config, "baseUrl" | "trustedProxies">;
  log: Log;
  routes: readonly Route[];
  /** Next's request handler; null in a process without pages */
  pages: NodeHandler | null;
  /** another host from which pages load their scripts, styles and fonts; "" is the page's own host */
  assetPrefix?: string;
  /** `/status` and the paths below it are redirected to this URL; null in the status process, which doesn't redirect */
  statusUrl: string | null;
  /** The error for a caller that is refused before any work is done; null if the caller is admitted. */
  admit?: (ipAddress: string, pathname: string) => DomainError | null;
  /** @throws the error for a caller that is refused before a page is rendered. */
  admitPage?: (info: RequestInfo) => void;
};
