import type { PriceSheet } from '@mg/contract';
import { EntitySchema } from 'typeorm';
import { createdAtColumn } from './column-types.js';

/** What a file of prices would do to one model. */
export interface PriceImportLine {
  readonly slug: string;
  readonly change: 'new' | 'changed' | 'unchanged' | 'unknown_model';
  /** The price in force when the file was read. */
  readonly before: PriceSheet | null;
  readonly after: PriceSheet;
}

/** A file of prices that was read and compared, and perhaps applied. */
export interface PriceImportRow {
  id: string;
  source: string;
  lines: PriceImportLine[];
  /** The user who uploaded it. */
  createdBy: string;
  createdAt: Date;
  appliedAt: Date | null;
}

export const PriceImportEntity = new EntitySchema<PriceImportRow>({
  name: 'price_import',
  columns: {
    id: { type: 'uuid', primary: true },
    source: { type: 'text' },
    lines: { type: 'jsonb' },
    createdBy: { name: 'created_by', type: 'uuid' },
    createdAt: createdAtColumn(),
    appliedAt: { name: 'applied_at', type: 'timestamptz', nullable: true },
  },
});
