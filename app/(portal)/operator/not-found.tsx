import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

const NotFound = () => (
  <EmptyState isPage title="There is no such thing" act={<ButtonLink href="/operator">Home</ButtonLink>}>
    It may be gone, or the address is mistyped.
  </EmptyState>
);

export default NotFound;
