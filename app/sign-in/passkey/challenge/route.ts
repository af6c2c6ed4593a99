import { passkeyChallengeEndpoint } from "#server/endpoints/accounts/passkey-challenge.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(passkeyChallengeEndpoint);
