import { join } from 'node:path';
import { copyTestPostgres } from '@mg/testkit';
import type { Deployment, DeploymentKind } from './deployment.js';
import { PlaneProcess } from './plane-process.js';
import { prepareDeployment } from './prepare.js';
import type { SmallConfiguration } from './small-configuration.js';

/** The first start copies Postgres and may have to fetch Redis. */
const START_TIMEOUT_MS = 240_000;

/** All planes in one process on its own embedded Postgres and Redis: what `npm start` runs. */
export const monolith: DeploymentKind = {
  name: 'the monolith',
  sdkTable: 'whole',
  isDirect: true,
  isOneProcess: true,
  start: () => startMonolith(),
};

/**
 * @param changes environment variables that differ from those of every deployment.
 * @param writeConfiguration the YAML file, where it is another than that of every deployment.
 */
export async function startMonolith(
  changes: Readonly<Record<string, string>> = {},
  writeConfiguration?: (addresses: SmallConfiguration) => string,
): Promise<Deployment> {
  const preparation = await prepareDeployment();
  if (writeConfiguration) {
    const addresses = { chatUrl: `${preparation.upstream.url}/`, videoUrl: `${preparation.jobs.url}/` };
    await preparation.writeConfiguration(writeConfiguration(addresses));
  }
  const { gatewayUrl, consoleUrl, upstream, jobs } = preparation;
  const variables = { ...preparation.variables, ...changes };
  // The first start of all is seen by tools/src/start.e2e.ts.
  await copyTestPostgres(join(preparation.directory, 'data/postgres'));
  const plane = new PlaneProcess('monolith', variables, `${gatewayUrl}/readyz`);
  const stop = async (): Promise<Record<string, number | null>> => {
    const exitCode = await plane.stop();
    await preparation.cleanUp();
    return { monolith: exitCode };
  };
  const crash = async () => {
    await plane.crash();
    await plane.waitUntilReady(START_TIMEOUT_MS);
  };
  try {
    await plane.waitUntilReady(START_TIMEOUT_MS);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    gatewayUrl,
    consoleUrl,
    gateways: [gatewayUrl],
    healthUrls: [gatewayUrl, consoleUrl],
    upstream,
    jobs,
    readOutput: () => plane.readOutput(),
    listEnded: () => (plane.isRunning ? [] : [plane.name]),
    writeConfiguration: preparation.writeConfiguration,
    readConfiguration: preparation.readConfiguration,
    crashGateway: crash,
    crashWorker: crash,
    stop,
  };
}
