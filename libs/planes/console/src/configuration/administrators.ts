import { newId } from '@mg/contract';
import { isUniqueViolation, type UserRow } from '@mg/persistence/console';
import type { ApplyParts } from './apply-configuration.js';

export interface FirstAdministrator {
  readonly email: string;
  readonly password: string;
}

/**
 * Creates an administrator unless a user of that address exists, who is then left as they are.
 *
 * @returns the user, and whether this call created them.
 */
export async function createAdministrator(
  { store, passwords }: Pick<ApplyParts, 'store' | 'passwords'>,
  administrator: FirstAdministrator,
): Promise<{ readonly user: UserRow; readonly created: boolean }> {
  const email = administrator.email.trim().toLowerCase();
  const existing = await store.users.findByEmail(email);
  if (existing) return { user: existing, created: false };
  const passwordHash = await passwords.hash(administrator.password);
  try {
    await store.users.insert({ id: newId(), email, name: '', role: 'administrator', passwordHash });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
  }
  const user = await store.users.findByEmail(email);
  if (!user) throw new Error(`The administrator ${email} could not be created.`);
  return { user, created: true };
}
