import type { MigrationInterface } from 'typeorm';

/**
 * One step of the schema. An expanding one runs while the version before serves on: it only adds. A contracting one takes
 * away what an earlier version used, and so waits until that version is gone: docs/decisions/0010-expand-then-contract.md.
 */
export interface Migration extends MigrationInterface {
  readonly name: string;
  readonly kind: 'expand' | 'contract';
  /** Of a contracting one: the first version that does without what is taken away. All processes must be at least that. */
  readonly since?: string;
}
