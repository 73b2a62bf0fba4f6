import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ENVIRONMENT } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { readPackage, ROOT } from '../architecture-tests/workspace.js';
import { readCompose } from './read-compose.js';
import { describeTarget, DOCKERFILE, findStage, listSteps, readStages } from './read-dockerfile.js';

const KNOWN = ['ARG', 'CMD', 'COPY', 'ENV', 'EXPOSE', 'HEALTHCHECK', 'LABEL', 'RUN', 'USER', 'WORKDIR'];
const PORTS = {
  gateway: 'GATEWAY_PORT',
  billing: 'BILLING_PORT',
  'video-worker': 'VIDEO_WORKER_PORT',
  console: 'CONSOLE_PORT',
} as const;
const TARGETS = [...Object.keys(PORTS), 'migrate'];

/** An image by tag and digest: what it is for people, and what it is for machines. */
const PINNED = /^[\w./-]+:[\w.-]*\d[\w.-]*@sha256:[0-9a-f]{64}$/;

const stages = readStages();
const steps = stages.flatMap((stage) => stage.steps);
const { services } = readCompose();

describe('the images', () => {
  it('come from pinned bases, and from stages that stand above', () => {
    const foreign = stages
      .filter(({ from }, index) => !stages.slice(0, index).some(({ name }) => name === from))
      .map(({ from }) => from);
    expect(foreign).toHaveLength(1);
    expect(foreign[0]).toMatch(PINNED);
  });

  it('are pinned in the compose file too, where they are not ours', () => {
    const loose = Object.values(services)
      .filter(({ build, image }) => build === undefined && !PINNED.test(image))
      .map(({ image }) => image);
    expect(loose).toEqual([]);
  });

  it('are built where the compose file asks for them, by instructions that are known', () => {
    expect(
      Object.values(services)
        .flatMap(({ build }) => (build ? [build.target] : []))
        .sort(),
    ).toEqual([...TARGETS].sort());
    for (const { build } of Object.values(services)) {
      expect(build?.dockerfile ?? DOCKERFILE).toBe(DOCKERFILE);
    }
    expect(steps.map(({ keyword }) => keyword).filter((keyword) => !KNOWN.includes(keyword))).toEqual([]);
  });

  it('copy what is there', () => {
    const sources = steps
      .filter(({ keyword, flags }) => keyword === 'COPY' && flags.from === undefined)
      .flatMap(({ words }) => words.slice(0, -1));
    expect(sources.filter((source) => !existsSync(join(ROOT, source)))).toEqual([]);
    const stagesNamed = steps.flatMap(({ flags }) => (flags.from === undefined ? [] : [flags.from]));
    expect(stagesNamed.filter((name) => !findStage(stages, name))).toEqual([]);
  });

  it('hold no secret', () => {
    const values = steps
      .filter(({ keyword }) => keyword === 'ENV' || keyword === 'ARG')
      .map(({ text }) => text)
      .filter((text) => /SECRET|PASSWORD|TOKEN|_KEY|sk-/.test(text));
    expect(values).toEqual([]);
  });

  it('are of the version that is in package.json', () => {
    const { version } = readPackage('.') as { version?: string };
    expect(describeTarget(stages, 'gateway').labels['org.opencontainers.image.version']).toBe(version);
  });
});

describe.each(TARGETS)('the image of %s', (name) => {
  const target = describeTarget(stages, name);

  it('runs its main as a user who owns none of its files', () => {
    expect(target.command).toEqual(['node', `dist/apps/${name}/main.js`]);
    expect(target.command).toEqual(services[name]?.command);
    expect(target.user).toBe('1000:1000');
    const owned = listSteps(stages, name).filter(
      ({ keyword, flags }) => keyword === 'COPY' && flags.chown !== undefined,
    );
    expect(owned.map(({ words }) => words.at(-1))).toEqual(['/data']);
    expect(target.environment).toMatchObject({ NODE_ENV: 'production', DATA_DIR: '/data' });
  });

  it('installs and builds nothing', () => {
    expect(listSteps(stages, name).filter(({ keyword }) => keyword === 'RUN')).toEqual([]);
  });

  it('says what it is', () => {
    expect(target.labels['org.opencontainers.image.title']).toBe(services[name]?.image.split(':')[0]);
    expect(target.labels['org.opencontainers.image.description']).toContain('Model Gateway: ');
    expect(target.labels['org.opencontainers.image.licenses']).toBe('Apache-2.0');
  });
});

describe.each(Object.entries(PORTS))('the image of %s', (name, variable) => {
  it('is asked for its health at the port that it exposes, as the compose file does', () => {
    const target = describeTarget(stages, name);
    const port = ENVIRONMENT[variable].defaultText;
    expect(target.exposed).toEqual([port]);
    expect(target.healthCommand).toEqual(['bash', 'deploy/docker/check-health.sh', variable, port]);
    const [shell, ...script] = target.healthCommand;
    expect(services[name]?.healthcheck?.test).toEqual(['CMD', shell, '/watch-health.sh', '.', ...script]);
  });
});
