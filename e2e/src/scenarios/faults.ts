import { parse, stringify } from 'yaml';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ComposeProject } from '../compose/compose-project.js';
import { TOKEN_PRICE } from '../deployment/configuration.js';
import { PROVIDER_KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { waitForModel } from '../deployment/knows-model.js';
import { SECOND_PRICE } from '../deployment/videos.js';
import { checkStack } from '../drill/check-stack.js';
import {
  findForbiddenFaults,
  type Incident,
  killEachPlane,
  restartEachPlane,
} from '../drill/run-stack-drill.js';
import { LOAD_MODELS, StackLoad } from '../drill/stack-load.js';

/** How often each plane is killed and restarted; `npm run drill:stack` sets more. */
const ROUNDS = Number(process.env.DRILL_ROUNDS ?? 1);
/** Processes of a plane that are restarted; the drill restarts all of them. */
const RESTARTED = process.env.DRILL_ROUNDS === undefined ? 1 : Infinity;
/** The drill's callers hardly rest; here they leave the cores to other tests. */
const PAUSE_BETWEEN_CALLS_MS = process.env.DRILL_ROUNDS === undefined ? 300 : 80;
const PREPARED_WITHIN_MS = 120_000;
const TIMEOUT_MS = 400_000 * ROUNDS;

/** Streams of three seconds and a half. */
const STREAM = { answer: { tokens: 40 }, stream: { paceMs: 85 } };

/** The compose stack under load, while its planes are killed and restarted. */
export function describeFaults(get: () => Deployment): void {
  describe('planes under load', () => {
    let project: ComposeProject;
    let load: StackLoad | undefined;
    // oxlint-disable-next-line no-console -- the drill of `npm run drill:stack` is watched while it runs
    const say = (line: string) => process.env.DRILL_ROUNDS && console.log(line);

    beforeAll(async () => {
      const { upstream, gateways, project: found } = get();
      if (!found) throw new Error('Only a project of containers has planes that can be killed one by one.');
      project = found;
      upstream.script(LOAD_MODELS.stream, STREAM);
      await addLoadModels(get());
      await Promise.all(gateways.map((url) => waitForModel(url, LOAD_MODELS.video)));
    }, PREPARED_WITHIN_MS);

    const check = (checked: StackLoad, kills: readonly Incident[]) => {
      const { upstream, jobs } = get();
      return checkStack({ load: checked, upstream, jobs, databaseUrl: project.databaseUrl, kills });
    };
    const start = () => {
      const started = new StackLoad(get().gatewayUrl, PAUSE_BETWEEN_CALLS_MS);
      load = started;
      started.start();
      return { project, load: started, say };
    };
    afterEach(() => load?.stop());

    it(
      'lose nothing but what ran through a gateway that is killed, and keep the ledger balanced',
      async () => {
        const drill = start();
        const kills: Incident[] = [];
        for (let round = 0; round < ROUNDS; round++) kills.push(...(await killEachPlane(drill)));
        await drill.load.stop();
        expect(findForbiddenFaults(drill.load, kills)).toEqual([]);
        expect(await check(drill.load, kills)).toEqual([]);
      },
      TIMEOUT_MS,
    );

    it(
      'lose no stream, no call and no task while every plane is restarted',
      async () => {
        const drill = start();
        for (let round = 0; round < ROUNDS; round++) await restartEachPlane(drill, RESTARTED);
        await drill.load.stop();
        expect(findForbiddenFaults(drill.load, [])).toEqual([]);
        expect(await check(drill.load, [])).toEqual([]);
      },
      TIMEOUT_MS,
    );
  });
}

/** Adds the models of the load to the configuration file, on channels of their own. */
async function addLoadModels(deployment: Deployment): Promise<void> {
  const { upstream, jobs } = deployment;
  const file = parse(await deployment.readConfiguration()) as { channels: object[]; models: object[] };
  const channel = {
    api_keys: [...PROVIDER_KEYS],
    timeout: { connect: '1s', first_byte: '10s', idle: '10s', total: '20s' },
  };
  const { call, stream, video } = LOAD_MODELS;
  file.channels.push(
    {
      name: 'load-chat',
      type: 'openai-compatible',
      base_url: `${upstream.url}/v1`,
      models: [call, stream],
      ...channel,
    },
    {
      name: 'load-video',
      type: 'videonative',
      base_url: jobs.urlOf('ark'),
      models: { [video]: 'seedance' },
      ...channel,
    },
  );
  file.models.push(
    ...[call, stream].map((slug) => ({ slug, kind: 'chat', max_output_tokens: 4_096, price: TOKEN_PRICE })),
    { slug: video, kind: 'video', price: { per_second: SECOND_PRICE } },
  );
  await deployment.writeConfiguration(stringify(file));
}
