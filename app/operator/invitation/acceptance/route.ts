import { operatorInvitationAcceptanceEndpoint } from "#server/endpoints/operators/invitation.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(operatorInvitationAcceptanceEndpoint);
