import { type ReactNode, useId, useState } from 'react';
import { useMessages } from '../messages/use-messages.js';
import { Button } from './button.js';
import { Icon } from './icon.js';

/** A filter that few want: it is folded until it is asked for or set. */
export interface RareFilter {
  readonly name: string;
  readonly isSet: boolean;
  readonly field: ReactNode;
}

interface FilterBarProps {
  /** What is filtered by; empty while nothing is. */
  readonly filters: object;
  readonly onClear: () => void;
  /** The filters. */
  readonly children: ReactNode;
  /** Those behind a button; none by default. */
  readonly rare?: readonly RareFilter[];
}

const NONE: readonly RareFilter[] = [];

/** Filters above a list, with a button that clears them all. On a phone they are folded until they are asked for. */
export function FilterBar({ filters, onClear, children, rare = NONE }: FilterBarProps) {
  const { actions } = useMessages();
  const [isOpen, setOpen] = useState(false);
  const fold = useFold(rare);
  const id = useId();
  const rareId = useId();
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
        <span className={isOpen ? 'rotate-180' : ''}>
          <Icon name="choose" />
        </span>
      </Button>
      <div
        id={id}
        className={`mb-4 grid-flow-row-dense grid-cols-2 items-end gap-x-3 gap-y-2.5 sm:grid sm:grid-cols-4 lg:grid-cols-5 xl:grid-cols-7 2xl:grid-cols-10 [&_label]:text-muted [&_label]:text-xs ${isOpen ? 'grid' : 'hidden'}`}
      >
        {children}
        <div id={rareId} className="contents">
          {fold.shown.map(({ name, field }) => (
            <div key={name}>{field}</div>
          ))}
        </div>
        {/* The buttons beside each other, whatever room the filters leave. */}
        <div className={rare.length > 0 ? 'col-span-2 grid grid-cols-2 gap-x-3' : 'contents'}>
          {rare.length > 0 && (
            <Button
              aria-expanded={fold.isOpen}
              aria-controls={rareId}
              className="px-2!"
              onClick={fold.toggle}
            >
              {fold.isOpen
                ? actions.fewerFilters
                : actions.moreFilters(rare.filter(({ isSet }) => isSet).length)}
            </Button>
          )}
          <Button
            disabled={count === 0}
            className="px-2!"
            onClick={() => {
              fold.forget();
              onClear();
            }}
          >
            {actions.clear}
          </Button>
        </div>
      </div>
    </>
  );
}

/** Which rare filters are shown. One that was set stays when it is emptied: whoever writes in it would lose it. */
function useFold(rare: readonly RareFilter[]) {
  const [isOpen, setOpen] = useState(false);
  const [kept, setKept] = useState<readonly string[]>([]);
  // From the click on "Clear filters" until none is set any more: they are not to be kept once more in between.
  const [isCleared, setCleared] = useState(false);
  const set = rare.filter(({ isSet }) => isSet).map(({ name }) => name);
  const added = isCleared ? [] : set.filter((name) => !kept.includes(name));
  if (isCleared && set.length === 0) setCleared(false);
  if (added.length > 0) setKept([...kept, ...added]);
  return {
    isOpen,
    shown: rare.filter(({ name, isSet }) => isOpen || isSet || kept.includes(name)),
    toggle: () => {
      setOpen(!isOpen);
      setKept([]);
    },
    forget: () => {
      setCleared(true);
      setKept([]);
    },
  };
}
