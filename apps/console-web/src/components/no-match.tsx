import { useMessages } from '../messages/use-messages.js';
import { Button } from './button.js';
import { EmptyState } from './empty-state.js';

interface NoMatchProps {
  readonly title: string;
  /** Takes all filters away. */
  readonly onClear: () => void;
}

/** What stands in a list that is empty because of its filters. */
export function NoMatch({ title, onClear }: NoMatchProps) {
  const { actions } = useMessages();
  return (
    <EmptyState title={title} text={actions.noMatch}>
      <Button onClick={onClear}>{actions.showAll}</Button>
    </EmptyState>
  );
}
