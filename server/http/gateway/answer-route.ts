import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import { isOnAuthorizationPath, machineHeaders, setHeaders } from "../security-headers.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { answerWriter, readNodeRequest } from "./node-request.ts";
import { badRequest, faultReply, replyToResponse, sendReply, wrongMethod } from "./replies.ts";
import type { RouteMatch } from "./routes.ts";

type RoutedRequest = { incoming: IncomingMessage; outgoing: ServerResponse; pathname: string; match: RouteMatch };

/** Answers paths that have a route file. Handlers of endpoints read Node's message directly if that is possible. */
export const routeAnswerer = ({ config, log }: GatewayOptions, isHttps: boolean) => {
  const ownHost = new URL(config.baseUrl).host;
  // Computed once: setting these headers is a large part of the work of a small response.
  const writeAnswer = answerWriter(machineHeaders(isHttps, "/"));
  const writeAuthorizationAnswer = answerWriter(machineHeaders(isHttps, "/oauth/authorize"));
  const answerByWebRequest = webRequestAnswerer({ config, log });
  return ({ incoming, outgoing, pathname, match }: RoutedRequest): Promise<void> => {
    const answer = match.route.handlers[incoming.method ?? ""]?.answer;
    const request = answer ? readNodeRequest(incoming, `http://${ownHost}`) : null;
    if (answer && request) {
      const write = isOnAuthorizationPath(pathname) ? writeAuthorizationAnswer : writeAnswer;
      return answer(request).then(
        (given) => write(outgoing, given),
        (error: unknown) => {
          log.error({ err: error }, "fault");
          return sendReply(outgoing, faultReply(config.baseUrl), isHttps);
        },
      );
    }
    setHeaders(outgoing, machineHeaders(isHttps, pathname));
    // Handlers get URLs on our own host: the caller's Host isn't always one that `URL` accepts.
    incoming.headers.host = ownHost;
    return answerByWebRequest(incoming, outgoing, match);
  };
};

/** Calls a route's handler with a web Request. */
const webRequestAnswerer = ({ config: { baseUrl }, log }: Pick<GatewayOptions, "config" | "log">) => {
  const matches = new WeakMap<IncomingMessage, RouteMatch>();
  const listener = getRequestListener(
    (request, { incoming }) => {
      const match = matches.get(incoming as IncomingMessage);
      if (!match) throw new Error("the request matches no route");
      const handler = match.route.handlers[request.method];
      if (!handler) return wrongMethod(request, match.route, baseUrl);
      return handler(request, { params: Promise.resolve(match.params) });
    },
    {
      errorHandler(error) {
        // An invalid request target.
        if (error instanceof RequestError) return replyToResponse(badRequest(baseUrl));
        log.error({ err: error }, "fault");
        return replyToResponse(faultReply(baseUrl));
      },
    },
  );
  return (incoming: IncomingMessage, outgoing: ServerResponse, match: RouteMatch): Promise<void> => {
    matches.set(incoming, match);
    return listener(incoming, outgoing);
  };
};
