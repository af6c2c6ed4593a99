import { conclude } from "./checks/run-check.ts";
import { runStaticChecks } from "./checks/static-checks.ts";

conclude(await runStaticChecks());
