import { describe } from 'vitest';
import type { Deployment, DeploymentKind } from '../../deployment/deployment.js';
import { describeAnswers } from './answers.js';
import { listCells } from './cells.js';
import { describeFailures } from './failures.js';
import { describeModels } from './models.js';
import { SHORT_TABLE, WHOLE_TABLE } from './rows.js';
import { describeToolsAndThoughts } from './tools-and-thoughts.js';

/** Every official SDK over every type of channel: the same questions in each cell. */
export function describeSdkTable(get: () => Deployment, { sdkTable }: DeploymentKind): void {
  const rows = sdkTable === 'whole' ? WHOLE_TABLE : SHORT_TABLE;
  describe.each(listCells(rows))('$title', (cell) => {
    describeAnswers(get, cell);
    describeToolsAndThoughts(get, cell);
    describeFailures(get, cell);
    describeModels(get, cell);
  });
}
