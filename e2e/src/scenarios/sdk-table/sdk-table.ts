import { describe } from 'vitest';
import type { Deployment, DeploymentKind } from '../../deployment/deployment.js';
import { describeAnswers } from './answers.js';
import { type Cell, listCells, listCellsInTurn } from './cells.js';
import { describeFailures } from './failures.js';
import { describeModels } from './models.js';
import { SHARED_PROTOCOLS, SHORT_TABLE, WHOLE_TABLE } from './rows.js';
import { describeToolsAndThoughts } from './tools-and-thoughts.js';

/** `npm run e2e:compose` asks every SDK over every row. */
const isWhole = process.env.E2E_SCENARIOS === 'all';

/** Every official SDK over every type of channel: the same questions in each cell. */
export function describeSdkTable(get: () => Deployment, { sdkTable }: DeploymentKind): void {
  describe.each(sdkTable === 'whole' ? listAll() : listCells(SHORT_TABLE))('$title', (cell) => {
    describeAnswers(get, cell);
    describeToolsAndThoughts(get, cell);
    describeFailures(get, cell);
    describeModels(get, cell);
  });
}

function listAll(): readonly Cell[] {
  if (isWhole) return listCells(WHOLE_TABLE);
  const own = WHOLE_TABLE.filter((row) => !SHARED_PROTOCOLS.includes(row));
  return [...listCells(own), ...listCellsInTurn(SHARED_PROTOCOLS)];
}
