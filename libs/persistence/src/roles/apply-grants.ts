import type { EntityManager } from 'typeorm';
import { MIGRATION_NAMES } from '../schema/migrations.js';
import { FUNCTION_GRANTS, OWNERS_FUNCTIONS } from './function-grants.js';
import { PLANE_ROLE_NAMES, PLANE_ROLES, type PlaneName } from './plane-roles.js';
import { TABLE_GRANTS } from './table-grants.js';

const ROLES = PLANE_ROLE_NAMES.join(', ');
const TABLES = Object.keys(TABLE_GRANTS).join(', ');
const FUNCTIONS = Object.keys(FUNCTION_GRANTS).join(', ');

/**
 * Names of the schema and the database are the owner's choice. Where the owner of the tables does not own these, what
 * they let everybody do is not ours to take.
 */
const CLOSE_SURROUNDINGS = /* sql */ `
do $$
begin
  execute format('revoke create on schema %I from public', current_schema());
  execute format('revoke temporary on database %I from public', current_database());
exception when insufficient_privilege then
  raise notice 'the rights of everybody in the schema and the database stay as they are';
end $$`;

const OPEN_SURROUNDINGS = /* sql */ `
do $$
begin
  execute format('grant connect on database %I to ${ROLES}', current_database());
  execute format('grant usage on schema %I to ${ROLES}', current_schema());
end $$`;

/** Takes what everybody may do, and lets functions with their owner's rights find tables in our own schema alone. */
export async function revokePublicAccess(manager: EntityManager): Promise<void> {
  if (await hasNewerVersion(manager)) return;
  await runTogether(manager, [
    CLOSE_SURROUNDINGS,
    `revoke all on table ${TABLES} from public`,
    `revoke all on function ${FUNCTIONS} from public`,
    ...OWNERS_FUNCTIONS.map(setSearchPath),
  ]);
}

/**
 * Gives each plane's role what the tables of grants say and takes everything else from it, in one transaction. A schema
 * that is newer than this build keeps its grants: the newer build wrote them.
 */
export async function applyGrants(manager: EntityManager): Promise<void> {
  if (await hasNewerVersion(manager)) return;
  await runTogether(manager, [OPEN_SURROUNDINGS, ...listTableGrants(), ...listFunctionGrants()]);
}

async function runTogether(manager: EntityManager, statements: readonly string[]): Promise<void> {
  await manager.transaction(async (transaction) => {
    for (const statement of statements) await transaction.query(statement);
  });
}

/** Made of fixed names alone. */
function listTableGrants(): string[] {
  const grants = Object.entries(TABLE_GRANTS).flatMap(([table, byPlane]) =>
    Object.entries(byPlane).map(
      ([plane, rights]) => `grant ${rights} on table ${table} to ${PLANE_ROLES[plane as PlaneName]}`,
    ),
  );
  return [`revoke all on table ${TABLES} from ${ROLES}`, ...grants];
}

function listFunctionGrants(): string[] {
  const grants = Object.entries(FUNCTION_GRANTS).flatMap(([signature, planes]) =>
    planes.map((plane) => `grant execute on function ${signature} to ${PLANE_ROLES[plane]}`),
  );
  return [`revoke all on function ${FUNCTIONS} from ${ROLES}`, ...grants];
}

function setSearchPath(signature: string): string {
  return /* sql */ `
do $$
begin
  execute format('alter function ${signature} set search_path = %I, pg_temp', current_schema());
end $$`;
}

async function hasNewerVersion(manager: EntityManager): Promise<boolean> {
  const rows = await manager.query<{ name: string }[]>('select name from migrations');
  return rows.some((row) => !MIGRATION_NAMES.includes(row.name));
}
