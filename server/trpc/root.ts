import { createCallerFactory, router } from "./init.ts";
import { authRouter } from "./routers/auth.ts";

/** What the pages call. */
export const appRouter = router({ auth: authRouter });

export type AppRouter = typeof appRouter;

/** For pages that render on the server: the same procedures and the same decisions, without HTTP. */
export const createCaller = createCallerFactory(appRouter);
