import { serveStatusRest, serveStatusRestHead, serveStatusRestOptions } from "#server/http/rest.ts";

export const GET = serveStatusRest;
export const HEAD = serveStatusRestHead;
export const OPTIONS = serveStatusRestOptions;
