import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { callApi } from '../api/client.js';
import { useIsAdministrator } from '../api/use-me.js';
import { type NamedPath, nameOf, type NamedRow, type NamedRows } from '../api/use-names.js';
import { useMessages } from '../messages/use-messages.js';
import { ADMINISTRATION, VIEWS } from './views.js';

const MOST_OF_A_KIND = 6;

interface Destination {
  /** An address of this page. */
  readonly address: string;
  readonly name: string;
  /** What kind of row it is; views have none. */
  readonly kind?: string;
  /** What tells rows of the same name apart. */
  readonly hint?: string | undefined;
}

interface DestinationGroup {
  readonly heading: string;
  readonly destinations: readonly Destination[];
}

interface Destinations {
  /** Views first; those without any are left out. */
  readonly groups: readonly DestinationGroup[];
  /** Whether answers of the API are awaited. */
  readonly isSearching: boolean;
}

/** The views and rows whose name holds a text; every view without one. */
export function useDestinations(text: string): Destinations {
  const { navigation, palette } = useMessages();
  const isAdministrator = useIsAdministrator();
  const search = text.trim();
  const keys = useFound('/api/v1/tokens', search);
  const wallets = useFound('/api/v1/wallets', search);
  const projects = useFound('/api/v1/projects', search);
  const users = useFound('/api/v1/users', search, isAdministrator);
  const channels = useFound('/api/v1/channels', search, isAdministrator);
  const holds = (name: string) => name.toLowerCase().includes(search.toLowerCase());
  const views = [...VIEWS, ...(isAdministrator ? ADMINISTRATION : [])]
    .map(([address, name]) => ({ address, name: navigation[name] }))
    .filter(({ name }) => holds(name));
  const group = (name: RowView, kind: string, rows: readonly NamedRow[] = []): DestinationGroup => ({
    heading: navigation[name],
    destinations: rows.map((row) => ({
      address: `/${name}/${row.id}`,
      name: nameOf(row),
      kind,
      hint: row.key_hint,
    })),
  });
  const found = [
    group('tokens', palette.kinds.key, keys.data?.data),
    group('channels', palette.kinds.channel, channels.data?.data),
    group('users', palette.kinds.user, users.data?.data),
    group('wallets', palette.kinds.wallet, wallets.data?.data),
    group('projects', palette.kinds.project, projects.data?.data),
  ];
  return {
    groups: [
      { heading: palette.views, destinations: views },
      // What an earlier text found stays until another one has found something.
      ...(search === '' ? [] : found),
    ].filter(({ destinations }) => destinations.length > 0),
    isSearching: [keys, channels, users, wallets, projects].some(({ isFetching }) => isFetching),
  };
}

/** The views whose rows have a page of their own, at the same address. */
type RowView = 'tokens' | 'channels' | 'users' | 'wallets' | 'projects';

/** Rows whose name holds a text; the API searches all of them. */
function useFound(path: NamedPath | '/api/v1/channels', search: string, enabled = true) {
  return useQuery({
    queryKey: [path, 'search', search, MOST_OF_A_KIND],
    queryFn: () => callApi<NamedRows>('GET', path, { query: { search, limit: MOST_OF_A_KIND } }),
    placeholderData: keepPreviousData,
    enabled: enabled && search !== '',
  });
}
