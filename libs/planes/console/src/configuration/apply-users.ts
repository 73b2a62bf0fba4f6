import { type ConfigurationFile, omitUndefined } from '@mg/contract';
import type { ConsoleStore, UserRow } from '@mg/persistence/console';
import { findDifferences } from '../changes/find-differences.js';
import { ConfigurationError } from './read-configuration.js';

/**
 * Sets the limits and budgets of the users that the file names. It makes no users.
 *
 * @returns the addresses of those that changed.
 * @throws ConfigurationError for an unknown user.
 */
export async function applyUsers(store: ConsoleStore, users: ConfigurationFile['users']): Promise<string[]> {
  const changed: string[] = [];
  for (const [index, { email, limits, budgets }] of users.entries()) {
    const user = await findUser(store, email, index);
    const change = findDifferences(user, omitUndefined({ limits, budgets }));
    if (Object.keys(change).length === 0) continue;
    await store.users.update(user.id, change);
    changed.push(user.email);
  }
  return changed;
}

async function findUser(store: ConsoleStore, email: string, index: number): Promise<UserRow> {
  const user = await store.users.findByEmail(email.trim().toLowerCase());
  if (user) return user;
  throw new ConfigurationError(`users[${index}].email: there is no user "${email}".`);
}
