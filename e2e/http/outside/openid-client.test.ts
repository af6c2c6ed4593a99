import { describeOpenidClient } from "../../outside/openid-client-flows.ts";
import { currentInstance } from "../../support/instance.ts";

describeOpenidClient("where nonces are offered", () => currentInstance().sandboxUrl, "offered");
