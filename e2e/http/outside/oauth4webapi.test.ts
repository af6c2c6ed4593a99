import { describeOauth4webapi } from "../../outside/oauth4webapi-flows.ts";
import { currentInstance } from "../../support/instance.ts";
import { makeInitialAccessToken } from "../../support/oauth/parties.ts";

describeOauth4webapi("in the sandbox", { baseUrl: () => currentInstance().sandboxUrl, nonces: "offers" });

describeOauth4webapi("in production", {
  baseUrl: () => currentInstance().productionUrl,
  initialAccessToken: (kind) => makeInitialAccessToken("production", kind),
  nonces: "offers",
});
