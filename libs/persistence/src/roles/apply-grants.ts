import type { EntityManager } from 'typeorm';
import { PLANE_ROLE_NAMES } from './plane-roles.js';

/** Gives the planes' roles what they need of the schema. */
export async function applyGrants(manager: EntityManager): Promise<void> {
  const roles = PLANE_ROLE_NAMES.join(', ');
  await manager.query(`grant select, insert, update, delete on all tables in schema public to ${roles}`);
}
