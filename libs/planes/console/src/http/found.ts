import { refuse } from '@mg/contract';

/** A row that was asked for by id. @throws GatewayError `not_found` when there is none that the caller may see. */
export function found<Row>(row: Row | null | undefined): Row {
  if (row === null || row === undefined) throw refuse('not_found', 'no_row');
  return row;
}
