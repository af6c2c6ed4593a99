import { seedDemo } from "../../prisma/seed/seed-demo.ts";
import { readVariables } from "../config.ts";
import { withDeps } from "./with-deps.ts";

if (readVariables(process.env).SEED_DEMO) await withDeps(seedDemo);
else process.stdout.write("none\n");
