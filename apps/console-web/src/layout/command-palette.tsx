import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { apiQuery } from '../api/api-query.js';
import { callApi } from '../api/client.js';
import { useIsAdministrator } from '../api/use-me.js';
import { type NamedPath, nameOf, type NamedRows } from '../api/use-names.js';
import { Combobox } from '../components/combobox.js';
import { Field } from '../components/field.js';
import { Dialog } from '../components/modal.js';
import { useMessages } from '../messages/use-messages.js';
import { ADMINISTRATION, VIEWS } from './views.js';

const MOST_OF_A_KIND = 6;

interface Destination {
  /** An address of this page. */
  readonly id: string;
  readonly name: string;
  readonly hint: string;
}

/** Goes to a view, a key, a wallet, a project, a user or a channel by a part of its name. */
export default function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const { palette: messages } = useMessages();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const options = useDestinations(useDeferredValue(text));
  return (
    <Dialog title={messages.title} onClose={onClose}>
      <Field label={messages.label} hint={messages.hint}>
        <Combobox
          options={options}
          chosenName=""
          onSearch={setText}
          onPick={(address) => {
            onClose();
            void navigate({ to: address });
          }}
        />
      </Field>
      <div className="h-56" />
    </Dialog>
  );
}

function useDestinations(search: string): readonly Destination[] {
  const { navigation, palette } = useMessages();
  const isAdministrator = useIsAdministrator();
  const views = [...VIEWS, ...(isAdministrator ? ADMINISTRATION : [])].map(([id, name]) => ({
    id,
    name: navigation[name],
    hint: '',
  }));
  const keys = useFound('/api/v1/tokens', search);
  const wallets = useFound('/api/v1/wallets', search);
  const projects = useFound('/api/v1/projects', search);
  const users = useFound('/api/v1/users', search, isAdministrator);
  const channels = useQuery({
    ...apiQuery('/api/v1/channels', { query: { limit: 200 } }),
    enabled: isAdministrator && search !== '',
  });
  const holds = (name: string) => name.toLowerCase().includes(search.trim().toLowerCase());
  const found: readonly Destination[] = views.filter(({ name }) => holds(name));
  if (search.trim() === '') return found;
  const toRows = (rows: NamedRows | undefined, path: string, kind: string) =>
    (rows?.data ?? []).map((row) => ({
      id: `${path}/${row.id}`,
      name: nameOf(row),
      hint: [kind, row.key_hint].filter(Boolean).join(' '),
    }));
  return [
    ...found,
    ...toRows(keys, '/tokens', palette.kinds.key),
    ...toRows(
      { data: (channels.data?.data ?? []).filter(({ name }) => holds(name)).slice(0, MOST_OF_A_KIND) },
      '/channels',
      palette.kinds.channel,
    ),
    ...toRows(users, '/users', palette.kinds.user),
    ...toRows(wallets, '/wallets', palette.kinds.wallet),
    ...toRows(projects, '/projects', palette.kinds.project),
  ];
}

/** Rows whose name holds a text; the API searches all of them. */
function useFound(path: NamedPath, search: string, enabled = true): NamedRows | undefined {
  const found = useQuery({
    queryKey: [path, 'search', search, MOST_OF_A_KIND],
    queryFn: () => callApi<NamedRows>('GET', path, { query: { search, limit: MOST_OF_A_KIND } }),
    placeholderData: keepPreviousData,
    enabled: enabled && search.trim() !== '',
  });
  return found.data;
}
