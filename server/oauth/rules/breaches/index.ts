import type { Cases } from "../../../kernel/rule-cases.fixture.ts";
import * as request from "./authorization-request.fixture.ts";
import * as caller from "./caller.fixture.ts";
import * as assertion from "./client-assertion.fixture.ts";
import * as keys from "./client-keys.fixture.ts";
import * as metadata from "./client-metadata.fixture.ts";
import * as registration from "./registration-tokens.fixture.ts";
import * as statement from "./software-statement.fixture.ts";
import * as token from "./token-request.fixture.ts";

export const allCases: readonly Cases<unknown>[] = [
  assertion,
  registration,
  statement,
  metadata,
  keys,
  request,
  token,
  caller,
].flatMap((module) => Object.values<Cases<unknown>>(module));
