import { serveStatusRest } from "#server/http/rest.ts";

export const GET = serveStatusRest;
