import { stringify } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ComposeProject } from './compose/compose-project.js';
import { startComposeProject } from './deployment/compose-stack.js';
import { TOKEN_PRICE } from './deployment/configuration.js';
import { ADMIN, KEYS, PROVIDER_KEYS } from './deployment/credentials.js';
import { type Preparation, prepareDeployment } from './deployment/prepare.js';
import { waitForModel } from './deployment/knows-model.js';
import { SECOND_PRICE } from './deployment/videos.js';
import { checkStack } from './drill/check-stack.js';
import {
  findForbiddenFaults,
  type Incident,
  killEachPlane,
  restartEachPlane,
} from './drill/run-stack-drill.js';
import { LOAD_MODELS, StackLoad } from './drill/stack-load.js';

/** How often each plane is killed and restarted; `npm run drill:stack` sets more. */
const ROUNDS = Number(process.env.DRILL_ROUNDS ?? 1);
/** Processes of a plane that are restarted; the drill restarts all of them. */
const RESTARTED = process.env.DRILL_ROUNDS === undefined ? 1 : Infinity;
/** The drill's callers hardly rest; here they leave the cores to other tests. */
const PAUSE_BETWEEN_CALLS_MS = process.env.DRILL_ROUNDS === undefined ? 300 : 80;
const START_WITHIN_MS = 300_000;
const TIMEOUT_MS = 400_000 * ROUNDS;

/** Streams of three seconds and a half. */
const STREAM = { answer: { tokens: 40 }, stream: { paceMs: 85 } };

describe('the compose stack under load', () => {
  let preparation: Preparation;
  let project: ComposeProject;
  let load: StackLoad;
  // oxlint-disable-next-line no-console -- the drill of `npm run drill:stack` is watched while it runs
  const say = (line: string) => process.env.DRILL_ROUNDS && console.log(line);

  beforeAll(async () => {
    preparation = await prepareDeployment();
    await preparation.writeConfiguration(writeLoadConfiguration(preparation));
    preparation.upstream.script(LOAD_MODELS.stream, STREAM);
    project = await startComposeProject(preparation);
    for (const { plan } of project.listOf('gateway'))
      await waitForModel(`http://${plan.address}:8080`, LOAD_MODELS.video);
  }, START_WITHIN_MS);
  afterAll(async () => {
    await project?.down();
    await preparation.cleanUp();
  });

  const check = (kills: readonly Incident[]) => {
    const { upstream, jobs } = preparation;
    return checkStack({ load, upstream, jobs, databaseUrl: project.databaseUrl, kills });
  };
  const start = () => {
    load = new StackLoad(`http://${project.addressOf('ingress')}:8080`, PAUSE_BETWEEN_CALLS_MS);
    load.start();
    return { project, load, say };
  };

  it(
    'loses nothing but what ran through a gateway that is killed, and keeps the ledger balanced',
    async () => {
      const drill = start();
      const kills: Incident[] = [];
      for (let round = 0; round < ROUNDS; round++) kills.push(...(await killEachPlane(drill)));
      await load.stop();
      expect(findForbiddenFaults(load, kills)).toEqual([]);
      expect(await check(kills)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'loses no stream, no call and no task while every plane is restarted',
    async () => {
      const drill = start();
      for (let round = 0; round < ROUNDS; round++) await restartEachPlane(drill, RESTARTED);
      await load.stop();
      expect(findForbiddenFaults(load, [])).toEqual([]);
      expect(await check([])).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

function writeLoadConfiguration({ upstream, jobs }: Preparation): string {
  const channel = {
    api_keys: [...PROVIDER_KEYS],
    timeout: { connect: '1s', first_byte: '10s', idle: '10s', total: '20s' },
  };
  const { call, stream, video } = LOAD_MODELS;
  return stringify({
    admin: ADMIN,
    channels: [
      {
        name: 'chat',
        type: 'openai-compatible',
        base_url: `${upstream.url}/v1`,
        models: [call, stream],
        ...channel,
      },
      {
        name: 'video',
        type: 'videonative',
        base_url: jobs.urlOf('ark'),
        models: { [video]: 'seedance' },
        ...channel,
      },
    ],
    models: [
      ...[call, stream].map((slug) => ({ slug, kind: 'chat', max_output_tokens: 4_096, price: TOKEN_PRICE })),
      { slug: video, kind: 'video', price: { per_second: SECOND_PRICE } },
    ],
    wallets: [{ name: 'main', balance: '1000.00' }],
    tokens: [{ name: 'main', wallet: 'main', key: KEYS.main }],
  });
}
