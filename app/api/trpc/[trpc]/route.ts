import { serveTrpc } from "#server/trpc/serve.ts";

export { serveTrpc as GET, serveTrpc as POST };
