import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What nobody reads in a container. */
const LEFT_OUT = ['./usr/share/doc', './usr/share/man', './usr/share/locale', './usr/share/perl'];

/** Names of those packages that apt knows; its lists are fetched first where it knows none. */
export function findPackages(names) {
  const known = () => names.filter((name) => spawnSync('apt-cache', ['show', name]).status === 0);
  if (known().length === 0) apt(['update']);
  return known();
}

/** Unpacks these packages and nothing that they depend on. Installs nothing. */
export function unpackPackages(names, { archives, root }) {
  mkdirSync(archives, { recursive: true });
  apt(['download', ...names], archives);
  unpackAll(archives, root);
}

/**
 * Unpacks these packages with all that they depend on: apt is told that nothing is installed. No script of a package is run, so
 * there are no users and no alternatives.
 */
export function unpackWithDependencies(names, { archives, root }) {
  mkdirSync(join(archives, 'partial'), { recursive: true });
  const status = join(archives, 'status');
  writeFileSync(status, '');
  const settings = [
    `Dir::State::status=${status}`,
    `Dir::Cache::archives=${archives}`,
    'APT::Sandbox::User=root',
    'Debug::NoLocking=1',
  ].flatMap((setting) => ['-o', setting]);
  apt([...settings, '--yes', '--no-install-recommends', '--download-only', 'install', ...names]);
  unpackAll(archives, root);
}

function unpackAll(archives, root) {
  for (const folder of ['bin', 'sbin', 'lib', 'lib64'])
    mkdirSync(join(root, 'usr', folder), { recursive: true });
  const excluded = LEFT_OUT.map((path) => `--exclude=${path}`).join(' ');
  for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb'))) {
    execFileSync('sh', [
      '-c',
      `dpkg-deb --fsys-tarfile "$1" | tar -x -C "$2" --keep-directory-symlink ${excluded}`,
      'sh',
      join(archives, name),
      root,
    ]);
  }
}

/** @throws Error with what apt said. */
function apt(parameters, cwd) {
  const { status, stdout, stderr } = spawnSync('apt-get', ['-q', ...parameters], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`apt-get ${parameters.at(0)} failed:\n${stdout}${stderr}`);
}
