import { signInByRecoveryCodeEndpoint } from "#server/endpoints/accounts/sign-in-by-recovery-code.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(signInByRecoveryCodeEndpoint);
