import type { EntityManager } from 'typeorm';
import { PLANE_ROLE_NAMES } from './plane-roles.js';

/** Another database of the cluster may create the same role at the same moment. */
const CREATE_ROLE = /* sql */ `
do $$
begin
  create role ROLE nologin;
exception when duplicate_object or unique_violation then
  null;
end $$`;

/**
 * Creates the planes' roles that are missing, without a login.
 *
 * @returns the roles that are still missing, since this user may not create any.
 */
export async function createRoles(manager: EntityManager): Promise<string[]> {
  const [user] = await manager.query<{ may_create: boolean }[]>(
    'select rolcreaterole or rolsuper as may_create from pg_roles where rolname = current_user',
  );
  for (const role of await listMissingRoles(manager)) {
    if (user?.may_create === true) await manager.query(CREATE_ROLE.replace('ROLE', role));
  }
  return listMissingRoles(manager);
}

async function listMissingRoles(manager: EntityManager): Promise<string[]> {
  const rows = await manager.query<{ rolname: string }[]>(
    'select rolname from pg_roles where rolname = any ($1)',
    [PLANE_ROLE_NAMES],
  );
  const there = new Set(rows.map((row) => row.rolname));
  return PLANE_ROLE_NAMES.filter((role) => !there.has(role));
}
