import { useState } from 'react';
import { useMessages } from '../messages/use-messages.js';
import type { Column } from './table.js';

/** The first column and those without a title are always there. */
function isOptional<Row>(column: Column<Row>, at: number): boolean {
  return at > 0 && column.title !== '';
}

/**
 * The columns that somebody left in a list, kept in this browser, and the menu to choose them. A column that is chosen is
 * shown on every screen.
 */
export function useColumnChoice<Row>(list: string, columns: readonly Column<Row>[]) {
  const key = `model-gateway.columns.${list}`;
  const [chosen, setChosen] = useState<readonly string[] | undefined>(() => readChoice(key));
  const choose = (titles: readonly string[] | undefined) => {
    setChosen(titles);
    if (titles === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(titles));
  };
  const shown =
    chosen === undefined
      ? columns
      : columns
          .filter((column, at) => !isOptional(column, at) || chosen.includes(column.title))
          .map((column) => ({ ...column, hideOnSmallScreens: false, isExtra: false }));
  return { shown, menu: <ColumnMenu columns={columns} chosen={chosen} onChoose={choose} /> };
}

function readChoice(key: string): readonly string[] | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return Array.isArray(kept) ? kept.filter((title) => typeof title === 'string') : undefined;
  } catch {
    return undefined;
  }
}

interface ColumnMenuProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly chosen: readonly string[] | undefined;
  readonly onChoose: (titles: readonly string[] | undefined) => void;
}

function ColumnMenu<Row>({ columns, chosen, onChoose }: ColumnMenuProps<Row>) {
  const { actions } = useMessages();
  const titles = columns.filter(isOptional).map(({ title }) => title);
  const current = chosen ?? titles;
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="relative" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="border-line bg-surface hover:bg-raised touch:flex touch:min-h-11 touch:min-w-11 touch:items-center touch:justify-center list-none rounded-lg border px-3.5 py-2 font-medium">
        {actions.columns}
      </summary>
      <div className="border-line bg-surface absolute right-0 z-20 mt-1 flex w-52 flex-col gap-2 rounded-lg border p-3 shadow-lg">
        {/* Their labels are those of filters: what is folded is not there. */}
        {isOpen &&
          titles.map((title) => (
            <label key={title} className="touch:min-h-11 flex items-center gap-2">
              <input
                type="checkbox"
                className="accent-accent size-4"
                checked={current.includes(title)}
                onChange={(event) =>
                  onChoose(
                    event.target.checked ? [...current, title] : current.filter((other) => other !== title),
                  )
                }
              />
              {title}
            </label>
          ))}
        <button
          type="button"
          className="text-accent touch:min-h-11 self-start text-xs font-medium"
          onClick={() => onChoose(undefined)}
        >
          {actions.defaultColumns}
        </button>
      </div>
    </details>
  );
}
