import { participantHistoryEndpoint } from "#server/directory/endpoints/participants.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(participantHistoryEndpoint);
