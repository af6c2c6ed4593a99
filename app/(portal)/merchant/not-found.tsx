import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

const NotFound = () => (
  <EmptyState
    isPage
    title="There is no such thing here"
    act={<ButtonLink href="/merchant">Back to the start</ButtonLink>}
  >
    It isn’t one of this merchant’s, or the address is mistyped.
  </EmptyState>
);

export default NotFound;
