import type { EntityManager } from 'typeorm';
import { applyGrants, revokePublicAccess } from './apply-grants.js';
import { createRoles } from './create-roles.js';

/**
 * Takes everybody's rights, creates the planes' roles and gives them theirs.
 *
 * @returns the roles that are missing, since this user may not create any; nothing is granted then.
 */
export async function prepareRoles(manager: EntityManager): Promise<string[]> {
  await revokePublicAccess(manager);
  const missing = await createRoles(manager);
  if (missing.length === 0) await applyGrants(manager);
  return missing;
}
