import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../architecture-tests/workspace.js';
import { readCompose } from './read-compose.js';

const SCRIPT = join(ROOT, 'deploy/compose/upgrade.sh');
const { services } = readCompose();

/** Answers as an engine with two gateways and one of each other plane does; new ones of `$BROKEN` do not become healthy. */
const DOCKER = `#!/bin/sh
echo "$*" >>"$LOG"
case "$*" in
  'compose ps --quiet gateway') printf 'old-gateway-1\\nold-gateway-2\\n' ;;
  'compose ps --quiet console') ;;
  'compose ps --quiet '*) echo "old-$4-1" ;;
  'compose ps --all --quiet gateway') printf 'old-gateway-1\\nnew-gateway-3\\nold-gateway-2\\n' ;;
  'compose up '*" $BROKEN") exit 1 ;;
  'compose run '*) exit "$MIGRATED" ;;
esac
`;

function upgrade(parameters: string[], { broken = '-', migrated = 0 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'upgrade-'));
  try {
    const log = join(folder, 'log');
    writeFileSync(join(folder, 'docker'), DOCKER, { mode: 0o755 });
    const env = {
      PATH: `${folder}${delimiter}${process.env.PATH}`,
      LOG: log,
      BROKEN: broken,
      MIGRATED: String(migrated),
    };
    const { status, stderr } = spawnSync('sh', [SCRIPT, ...parameters], { env, encoding: 'utf8' });
    const commands = readFileSync(log, 'utf8').trim().split('\n');
    const changes = commands.filter((line) => !line.startsWith('compose ps') && !line.startsWith('logs'));
    return { status, stderr, changes };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What is done for one plane. */
function stepsOf(plane: string, count: number): string[] {
  const old = Array.from({ length: count }, (_, index) => `old-${plane}-${index + 1}`).join(' ');
  return [
    `compose up --detach --no-deps --no-build --no-recreate --wait --wait-timeout 120 --scale ${plane}=${count * 2} ${plane}`,
    `stop --time 45 ${old}`,
    `rm --volumes ${old}`,
  ];
}

const CONSOLE = 'compose up --detach --no-deps --no-build --wait --wait-timeout 120 console';
const RULES = 'compose exec -T redis sh /etc/model-gateway/start-redis.sh apply';
const MIGRATE = 'compose run --rm --no-deps migrate';

describe('engines 2: deploy/compose/upgrade.sh', () => {
  it('migrates, and starts the new ones of each plane before it stops the old', () => {
    const { status, changes } = upgrade([]);
    expect(status).toBe(0);
    expect(changes).toEqual([
      MIGRATE,
      RULES,
      ...stepsOf('billing', 1),
      ...stepsOf('gateway', 2),
      ...stepsOf('video-worker', 1),
      CONSOLE,
    ]);
  });

  it('goes back the other way round, and leaves the database alone', () => {
    const { status, changes } = upgrade(['--back']);
    expect(status).toBe(0);
    expect(changes).toEqual([
      ...stepsOf('video-worker', 1),
      ...stepsOf('gateway', 2),
      ...stepsOf('billing', 1),
      CONSOLE,
    ]);
  });

  it('changes nothing when the database cannot be migrated', () => {
    expect(upgrade([], { migrated: 1 })).toMatchObject({ status: 1, changes: [MIGRATE] });
  });

  it('removes new ones that do not become healthy, and leaves the old ones', () => {
    const { status, stderr, changes } = upgrade([], { broken: 'gateway' });
    expect(status).toBe(1);
    expect(stderr).toContain('gateway of the new version did not become healthy');
    const [start = ''] = stepsOf('gateway', 2);
    expect(changes).toEqual([
      MIGRATE,
      RULES,
      ...stepsOf('billing', 1),
      start,
      'rm --force --volumes new-gateway-3',
    ]);
  });

  it('gives planes the time to drain that the compose file gives them', () => {
    const [, seconds] = /^STOP_SECONDS=(\d+)$/m.exec(readFileSync(SCRIPT, 'utf8')) ?? [];
    for (const plane of ['billing', 'gateway', 'video-worker']) {
      expect(services[plane]?.stop_grace_period).toBe(`${seconds}s`);
    }
  });
});
