import type { EntityManager } from 'typeorm';
import { applyGrants } from './apply-grants.js';
import { createRoles } from './create-roles.js';

/**
 * Creates the planes' roles and gives them their rights.
 *
 * @returns the roles that are missing, since this user may not create any; nothing is granted then.
 */
export async function prepareRoles(manager: EntityManager): Promise<string[]> {
  const missing = await createRoles(manager);
  if (missing.length === 0) await applyGrants(manager);
  return missing;
}
