import type { OperatorIncidentDetail } from "#server/trpc/operator/operator-status-views.ts";
import { Section } from "../../portal/page-head.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { IfAllowed } from "../if-allowed.tsx";
import { PostmortemView } from "./postmortem-view.tsx";

/** Shows the postmortem of a resolved incident. Before it is written, says whether the incident needs one. */
export const IncidentPostmortem = ({ incident, locale }: { incident: OperatorIncidentDetail; locale: string }) => {
  const { id, impact, writtenPostmortem } = incident;
  return (
    <Section
      title="Postmortem"
      act={
        <IfAllowed action="postmortem.write">
          <ButtonLink href={`/operator/incidents/${id}/postmortem`} size="small">
            {writtenPostmortem ? "Edit postmortem" : "Write postmortem"}
          </ButtonLink>
        </IfAllowed>
      }
    >
      {writtenPostmortem ? (
        <PostmortemView incidentId={id} postmortem={writtenPostmortem} locale={locale} />
      ) : (
        <EmptyState title="No postmortem yet">
          {impact === "critical"
            ? "A critical incident needs a postmortem within five working days of its resolution."
            : "This incident doesn’t need a postmortem. Write one if others can learn from it."}
        </EmptyState>
      )}
    </Section>
  );
};
