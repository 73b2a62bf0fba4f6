import { useCombobox } from 'downshift';
import { useId, useState } from 'react';
import { type DescribedInput, INPUT } from './field.js';
import { Icon } from './icon.js';

interface ComboboxOption {
  readonly id: string;
  readonly name: string;
  /** What tells options of the same name apart. */
  readonly hint: string;
}

interface ComboboxProps extends DescribedInput {
  /** What the text that is written finds. */
  readonly options: readonly ComboboxOption[];
  /** Name of the option that is chosen; empty for none. */
  readonly chosenName: string;
  readonly noneName?: string | undefined;
  /** Called with what is written; with an empty text when the list closes. */
  readonly onSearch: (text: string) => void;
  /** Called with an id; empty for none. */
  readonly onPick: (id: string) => void;
}

/** A text field that finds options, in the pattern of an ARIA combobox. */
export function Combobox({
  id,
  options,
  chosenName,
  noneName,
  onSearch,
  onPick,
  ...described
}: ComboboxProps) {
  const ownId = useId();
  /** `undefined` while nothing is written: the field shows what is chosen. */
  const [typed, setTyped] = useState<string>();
  const none = noneName === undefined || typed ? [] : [{ id: '', name: noneName, hint: '' }];
  const items = [...none, ...options];
  const write = (text: string | undefined) => {
    setTyped(text);
    onSearch(text ?? '');
  };
  const { isOpen, highlightedIndex, getInputProps, getMenuProps, getItemProps } = useCombobox({
    items,
    itemToString: (option) => option?.name ?? '',
    inputId: id ?? ownId,
    labelId: `${id ?? ownId}-label`,
    selectedItem: null,
    inputValue: typed ?? chosenName,
    defaultHighlightedIndex: 0,
    onInputValueChange: ({ type, inputValue }) => {
      if (type === useCombobox.stateChangeTypes.InputChange) write(inputValue);
    },
    onSelectedItemChange: ({ selectedItem }) => {
      if (selectedItem) onPick(selectedItem.id);
    },
    onIsOpenChange: ({ isOpen: opens }) => {
      if (!opens) write(undefined);
    },
  });
  return (
    <div className="relative">
      <input
        {...getInputProps({ ...described, onFocus: (event) => event.currentTarget.select() })}
        placeholder={noneName}
        // The placeholder says what is chosen.
        className={`${INPUT} placeholder:text-ink! truncate pr-8`}
      />
      <span className="text-muted touch:h-11 pointer-events-none absolute top-0 right-2.5 flex h-9.5 items-center">
        <Icon name="choose" />
      </span>
      <ul
        {...getMenuProps()}
        className={`border-line bg-surface absolute z-20 mt-1 max-h-72 w-full min-w-48 overflow-y-auto rounded-lg border py-1 shadow-lg ${isOpen && items.length > 0 ? '' : 'hidden'}`}
      >
        {isOpen &&
          items.map((option, index) => (
            <li
              key={option.id}
              {...getItemProps({ item: option, index })}
              className={`touch:py-3 cursor-pointer px-3 py-1.5 ${index === highlightedIndex ? 'bg-raised' : ''}`}
            >
              <span className="block truncate" title={option.name}>
                {option.name}
              </span>
              {option.hint !== '' && (
                <span className="text-muted block truncate font-mono text-xs">{option.hint}</span>
              )}
            </li>
          ))}
      </ul>
    </div>
  );
}
