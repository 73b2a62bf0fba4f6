import type { EntitySchemaColumnOptions, ValueTransformer } from 'typeorm';

/** Postgres sends bigint as text; in code money is a bigint. */
const nanoUsd: ValueTransformer = {
  to: (amount: bigint | null | undefined) => amount?.toString() ?? amount,
  from: (text: string | null) => (text === null ? null : BigInt(text)),
};

/** An amount in nano-dollars. */
export function moneyColumn(name: string, nullable = false): EntitySchemaColumnOptions {
  return { name, type: 'bigint', nullable, transformer: nanoUsd };
}

/** A count, or amount, that billing keeps: read here, never written. */
export function readOnlyMoneyColumn(name: string): EntitySchemaColumnOptions {
  return { ...moneyColumn(name), insert: false, update: false };
}

/** A moment that Postgres's clock sets when the row is made. */
export function createdAtColumn(): EntitySchemaColumnOptions {
  return { name: 'created_at', type: 'timestamptz', createDate: true, update: false };
}
