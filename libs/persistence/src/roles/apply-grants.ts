import type { EntityManager } from 'typeorm';
import { MIGRATION_NAMES } from '../schema/migrations.js';
import { FUNCTION_GRANTS, OWNERS_FUNCTIONS } from './function-grants.js';
import { PLANE_ROLE_NAMES, PLANE_ROLES, type PlaneName } from './plane-roles.js';
import { TABLE_GRANTS } from './table-grants.js';

const ROLES = PLANE_ROLE_NAMES.join(', ');

/**
 * Names of the schema and the database are the owner's choice. Where the owner of the tables does not own these, what
 * they let everybody do is not ours to take.
 */
const SURROUNDINGS = /* sql */ `
do $$
begin
  execute format('grant connect on database %I to ${ROLES}', current_database());
  execute format('grant usage on schema %I to ${ROLES}', current_schema());
  execute format('revoke create on schema %I from public', current_schema());
  execute format('revoke temporary on database %I from public', current_database());
exception when insufficient_privilege then
  raise notice 'the rights of everybody in the schema and the database stay as they are';
end $$`;

/**
 * Gives each plane's role what the tables of grants say, and takes everything else from the roles and from everybody, in
 * one transaction. A schema that is newer than this build keeps its grants: the newer build wrote them.
 */
export async function applyGrants(manager: EntityManager): Promise<void> {
  if (await isNewerThanUs(manager)) return;
  const statements = [SURROUNDINGS, ...listTableGrants(), ...listFunctionGrants(), ...listSearchPaths()];
  await manager.transaction(async (transaction) => {
    for (const statement of statements) await transaction.query(statement);
  });
}

/** Made of fixed names alone. */
function listTableGrants(): string[] {
  const tables = Object.keys(TABLE_GRANTS).join(', ');
  const grants = Object.entries(TABLE_GRANTS).flatMap(([table, byPlane]) =>
    Object.entries(byPlane).map(
      ([plane, rights]) => `grant ${rights} on table ${table} to ${PLANE_ROLES[plane as PlaneName]}`,
    ),
  );
  return [`revoke all on table ${tables} from public, ${ROLES}`, ...grants];
}

function listFunctionGrants(): string[] {
  const functions = Object.keys(FUNCTION_GRANTS).join(', ');
  const grants = Object.entries(FUNCTION_GRANTS).flatMap(([signature, planes]) =>
    planes.map((plane) => `grant execute on function ${signature} to ${PLANE_ROLES[plane]}`),
  );
  return [`revoke all on function ${functions} from public, ${ROLES}`, ...grants];
}

function listSearchPaths(): string[] {
  return OWNERS_FUNCTIONS.map(
    (signature) => /* sql */ `
do $$
begin
  execute format('alter function ${signature} set search_path = %I, pg_temp', current_schema());
end $$`,
  );
}

async function isNewerThanUs(manager: EntityManager): Promise<boolean> {
  const rows = await manager.query<{ name: string }[]>('select name from migrations');
  return rows.some((row) => !MIGRATION_NAMES.includes(row.name));
}
