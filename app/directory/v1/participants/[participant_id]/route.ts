import { editParticipantEndpoint } from "#server/endpoints/directory/edit-participant.ts";
import { readParticipantEndpoint } from "#server/endpoints/directory/read-participant.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(readParticipantEndpoint, editParticipantEndpoint);
