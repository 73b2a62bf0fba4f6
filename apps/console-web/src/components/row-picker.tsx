import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { callApi } from '../api/client.js';
import { type NamedPath, nameOf, type NamedRows, useNames } from '../api/use-names.js';
import { type DescribedInput } from './field.js';
import { Combobox } from './combobox.js';

const MOST_SHOWN = 20;

interface RowPickerProps extends DescribedInput {
  readonly path: NamedPath;
  /** Id of the chosen row; empty for none. */
  readonly value: string;
  /** What it is called to choose none; it cannot be chosen without this. */
  readonly noneName?: string | undefined;
  readonly onPick: (id: string) => void;
}

/** Chooses one of all rows of a list: the API searches them. */
export function RowPicker({ path, value, ...rest }: RowPickerProps) {
  const [text, setText] = useState('');
  const search = useDeferredValue(text);
  const found = useQuery({
    queryKey: [path, 'search', search],
    queryFn: () => callApi<NamedRows>('GET', path, { query: { search, limit: MOST_SHOWN } }),
    placeholderData: keepPreviousData,
  });
  const chosenName = useNames(path, value === '' ? [] : [value])(value);
  const options = (found.data?.data ?? []).map((row) => ({
    id: row.id,
    name: nameOf(row),
    hint: row.key_hint ?? '',
  }));
  return <Combobox {...rest} options={options} chosenName={chosenName ?? value} onSearch={setText} />;
}
