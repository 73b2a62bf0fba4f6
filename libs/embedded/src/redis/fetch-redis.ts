import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../server/run-command.js';

const PACKAGE = 'redis-server';

/**
 * Downloads Debian's Redis, with what it needs and this machine lacks, and unpacks it into a directory. apt checks the
 * signatures; its state is kept apart, so that this works without root and changes nothing on the system.
 */
export async function fetchRedis(directory: string): Promise<void> {
  const state = join(directory, 'apt');
  const archives = join(state, 'archives');
  for (const path of [join(state, 'lists/partial'), join(archives, 'partial')]) {
    mkdirSync(path, { recursive: true });
  }
  const settings = [
    `Dir::State::Lists=${join(state, 'lists')}`,
    `Dir::Cache=${state}`,
    `Dir::Cache::archives=${archives}`,
    'Dir::Cache::pkgcache=',
    'Dir::Cache::srcpkgcache=',
    'Acquire::Languages=none',
    'Acquire::Retries=2',
    'Acquire::http::Timeout=20',
    'APT::Sandbox::User=root',
    'Debug::NoLocking=true',
  ].flatMap((setting) => ['-o', setting]);
  await runCommand('apt-get', [...settings, '-qq', 'update']);
  await runCommand('apt-get', [
    ...settings,
    '-qq',
    '-y',
    '--no-install-recommends',
    '--download-only',
    'install',
    PACKAGE,
  ]);
  const packages = readdirSync(archives).filter((name) => name.endsWith('.deb'));
  for (const name of packages) {
    await runCommand('dpkg-deb', ['-x', join(archives, name), join(directory, 'root')]);
  }
  rmSync(state, { recursive: true, force: true });
}
