import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './steps.mjs';
import { fail, runNx } from './workspace.mjs';

const PARENTS = ['apps', 'libs', 'libs/planes'];
const TOP = ['e2e', 'bench', 'tools'];

/** Folders of the projects by Nx's names for them. */
function listFolders() {
  const nested = PARENTS.flatMap((parent) =>
    readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`),
  );
  const packages = [...nested, ...TOP].filter((folder) => existsSync(join(ROOT, folder, 'package.json')));
  return new Map(packages.map((folder) => [readName(folder), folder]));
}

function readName(folder) {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')).nx?.name;
}

/** Names and folders of the projects that differ from a commit, or stand on one that does. */
export async function listAffectedProjects(base) {
  const parameters = ['show', 'projects', '--affected', `--base=${base}`, '--json'];
  const { code, output } = await runNx(parameters, { capture: true });
  const names = /\[.*\]/s.exec(output)?.[0];
  if (code !== 0 || names === undefined) return fail(output, 1);
  const folders = listFolders();
  return JSON.parse(names).map((name) => ({ name, folder: folders.get(name) }));
}
