import type { ReactNode } from 'react';
import { useMessages } from '../messages/use-messages.js';
import { Button } from './button.js';

interface FilterBarProps {
  /** What is filtered by; empty while nothing is. */
  readonly filters: object;
  readonly onClear: () => void;
  /** The filters. */
  readonly children: ReactNode;
}

/** Filters above a list, with a button that clears them all. */
export function FilterBar({ filters, onClear, children }: FilterBarProps) {
  const { actions } = useMessages();
  return (
    <div className="mb-4 grid grid-cols-2 items-end gap-3 sm:grid-cols-3 lg:grid-cols-4 2xl:grid-cols-6">
      {children}
      <Button disabled={Object.keys(filters).length === 0} onClick={onClear}>
        {actions.clear}
      </Button>
    </div>
  );
}
