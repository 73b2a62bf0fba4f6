import { type ReactNode, useId, useState } from 'react';
import { useMessages } from '../messages/use-messages.js';
import { Button } from './button.js';

interface FilterBarProps {
  /** What is filtered by; empty while nothing is. */
  readonly filters: object;
  readonly onClear: () => void;
  /** The filters. */
  readonly children: ReactNode;
}

/** Filters above a list, with a button that clears them all. On a phone they are folded until they are asked for. */
export function FilterBar({ filters, onClear, children }: FilterBarProps) {
  const { actions } = useMessages();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const count = Object.keys(filters).length;
  return (
    <>
      <Button
        aria-expanded={isOpen}
        aria-controls={id}
        className="mb-4 w-full sm:hidden"
        onClick={() => setOpen(!isOpen)}
      >
        {actions.filters(count)}
      </Button>
      <div
        id={id}
        className={`mb-4 grid-cols-2 items-end gap-x-3 gap-y-2.5 sm:grid sm:grid-cols-4 md:grid-cols-5 xl:grid-cols-7 2xl:grid-cols-10 [&_label]:text-muted [&_label]:text-xs ${isOpen ? 'grid' : 'hidden'}`}
      >
        {children}
        <Button disabled={count === 0} onClick={onClear}>
          {actions.clear}
        </Button>
      </div>
    </>
  );
}
