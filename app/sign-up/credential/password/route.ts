import { finishSignUpByPasswordEndpoint } from "#server/endpoints/accounts/sign-up/credential.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(finishSignUpByPasswordEndpoint);
