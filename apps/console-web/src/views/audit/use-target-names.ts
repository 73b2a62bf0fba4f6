import type { AuditEntry } from '../../api/console-api.js';
import { type NamedPath, useNames } from '../../api/use-names.js';

/** Targets whose names the API finds by their ids. */
const PATHS = {
  token: '/api/v1/tokens',
  user: '/api/v1/users',
  wallet: '/api/v1/wallets',
  project: '/api/v1/projects',
} as const satisfies Readonly<Record<string, NamedPath>>;

/** The names of what was changed: as the row is named now, else as the change itself names it; `undefined` where neither does. */
export function useTargetNames(entries: readonly AuditEntry[]): (entry: AuditEntry) => string | undefined {
  const idsOf = (type: keyof typeof PATHS) =>
    entries.filter(({ target_type: of }) => of === type).map(({ target_id: id }) => id);
  const found = [
    useNames(PATHS.token, idsOf('token')),
    useNames(PATHS.user, idsOf('user')),
    useNames(PATHS.wallet, idsOf('wallet')),
    useNames(PATHS.project, idsOf('project')),
  ];
  return (entry) =>
    found.map((nameOf) => nameOf(entry.target_id)).find((name) => name !== undefined) ??
    (nameIn(entry.after) || nameIn(entry.before) || undefined);
}

function nameIn(row: AuditEntry['after']): string {
  const name = row?.['name'] ?? row?.['email'] ?? row?.['slug'];
  return typeof name === 'string' ? name : '';
}
