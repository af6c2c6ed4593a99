import { serveStatusRest, serveStatusRestHead } from "#server/http/rest.ts";

export const GET = serveStatusRest;
export const HEAD = serveStatusRestHead;
