import { type ColumnVisibilityState, functionalUpdate, type RowData, useTable } from '@tanstack/react-table';
import { useState } from 'react';
import { useMessages } from '../messages/use-messages.js';
import { type Column, FEATURES, titleOf } from './table.js';

/**
 * The columns that somebody left in a list, kept in this browser, and the menu to choose them. A column that is chosen is
 * shown on every screen.
 */
export function useColumnChoice<Row extends RowData>(list: string, columns: readonly Column<Row>[]) {
  const key = `model-gateway.columns.${list}`;
  const [chosen, setChosen] = useState<ColumnVisibilityState | undefined>(() => readChoice(key));
  const choose = (columnsShown: ColumnVisibilityState | undefined) => {
    setChosen(columnsShown);
    if (columnsShown === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(columnsShown));
  };
  return { chosen, menu: <ColumnMenu columns={columns} chosen={chosen} onChoose={choose} /> };
}

/** What is none, such as a list of headings of a version before, counts as no choice. */
function readChoice(key: string): ColumnVisibilityState | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return isChoice(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function isChoice(kept: unknown): kept is ColumnVisibilityState {
  if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) return false;
  return Object.values(kept).every((isShown) => typeof isShown === 'boolean');
}

interface ColumnMenuProps<Row extends RowData> {
  readonly columns: readonly Column<Row>[];
  readonly chosen: ColumnVisibilityState | undefined;
  readonly onChoose: (chosen: ColumnVisibilityState | undefined) => void;
}

const ALL_SHOWN: ColumnVisibilityState = {};
const NO_ROWS: readonly [] = [];

function ColumnMenu<Row extends RowData>({ columns, chosen = ALL_SHOWN, onChoose }: ColumnMenuProps<Row>) {
  const { actions } = useMessages();
  const [isOpen, setOpen] = useState(false);
  // The list's own table is there only when its rows are.
  const table = useTable<typeof FEATURES, Row>({
    features: FEATURES,
    columns,
    data: NO_ROWS,
    state: { columnVisibility: chosen },
    onColumnVisibilityChange: (updater) => onChoose(functionalUpdate(updater, chosen)),
  });
  return (
    <details className="relative" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="border-line bg-surface hover:bg-raised touch:flex touch:min-h-11 touch:min-w-11 touch:items-center touch:justify-center list-none rounded-lg border px-3.5 py-2 font-medium">
        {actions.columns}
      </summary>
      <div className="border-line bg-surface absolute right-0 z-20 mt-1 flex w-52 flex-col gap-2 rounded-lg border p-3 shadow-lg">
        {/* Their labels are those of filters: what is folded is not there. */}
        {isOpen &&
          table
            .getAllLeafColumns()
            .filter((column) => column.getCanHide())
            .map((column) => (
              <label key={column.id} className="touch:min-h-11 flex items-center gap-2">
                <input
                  type="checkbox"
                  className="accent-accent size-4"
                  checked={column.getIsVisible()}
                  onChange={column.getToggleVisibilityHandler()}
                />
                {titleOf(column)}
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
