import { describeOpenidClient } from "../../outside/openid-client-flows.ts";
import { currentInstance } from "../../support/instance.ts";

describeOpenidClient("when nonces are offered", () => currentInstance().sandboxUrl, "offers");
