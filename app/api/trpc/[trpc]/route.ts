import { serveTrpc } from "#server/http/serve-trpc.ts";

export { serveTrpc as GET, serveTrpc as POST };
