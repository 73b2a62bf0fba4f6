import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './run-command.js';

/**
 * Downloads a Debian package, with what it needs and this machine lacks, and unpacks it into `root` of a directory. apt
 * checks the signatures; its state is kept apart, so that this works without root and changes nothing on the system.
 *
 * @throws Error with what apt wrote to stderr.
 */
export async function fetchDebianPackage(name: string, directory: string): Promise<void> {
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
    name,
  ]);
  const packages = readdirSync(archives).filter((file) => file.endsWith('.deb'));
  for (const file of packages) {
    await runCommand('dpkg-deb', ['-x', join(archives, file), join(directory, 'root')]);
  }
  rmSync(state, { recursive: true, force: true });
}
