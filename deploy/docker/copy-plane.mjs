// Copies what one plane needs to run, and nothing else, from a built workspace: its own files, the libraries and packages that
// it depends on, and theirs. node deploy/docker/copy-plane.mjs <plane> <folder>
import { cp, mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

/** Types and source maps are for those who develop. */
const FOR_DEVELOPERS = /\.d\.[cm]?ts$|\.map$|\.tsbuildinfo$/;

const [plane, target] = process.argv.slice(2);
const root = process.cwd();
const out = resolve(target);
const copied = new Set();

await copyDependencies(join(root, 'apps', plane));
await copyFiles(`dist/apps/${plane}`);
const { nx, version } = await readPackage(join(root, 'apps', plane));
for (const page of nx.implicitDependencies ?? []) await copyFiles(`dist/apps/${page}`);
await copyFiles('deploy/docker/check-health.mjs');
await copyFiles('LICENSE');
const description = { name: `model-gateway-${plane}`, version, private: true, type: 'module' };
await writeFile(join(out, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);

/** Follows what a package cannot do without. Optional packages are faster ways to the same end, and stay away. */
async function copyDependencies(folder) {
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
  } = await readPackage(folder);
  const needed = Object.keys(dependencies).filter((name) => !(name in optionalDependencies));
  const expected = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  for (const name of [...needed, ...expected]) await copyPackage(name, folder);
}

async function copyPackage(name, dependent) {
  const installed = findInstalled(name, dependent);
  if (copied.has(installed)) return;
  copied.add(installed);
  const folder = await realpath(installed);
  if (folder === installed) {
    await copyFiles(relative(root, installed));
  } else {
    await copyLibrary(relative(root, folder), relative(root, installed));
  }
  await copyDependencies(folder);
}

/** A library of the workspace: its build, and the link by which Node finds it. */
async function copyLibrary(library, link) {
  await copyFiles(join(library, 'package.json'));
  await copyFiles(join(library, 'dist'));
  await mkdir(join(out, dirname(link)), { recursive: true });
  await symlink(relative(dirname(link), library), join(out, link));
}

/** Where Node would find a package: in the folder of who asks, or in one above it. */
function findInstalled(name, dependent) {
  for (let folder = dependent; folder.startsWith(root); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(candidate)) return candidate;
  }
  throw new Error(`${name}, which ${relative(root, dependent)} needs, is not installed.`);
}

/** Packages within a package are copied when somebody asks for them. */
async function copyFiles(path) {
  const source = join(root, path);
  await cp(source, join(out, path), {
    recursive: true,
    filter: (file) => file === source || !(basename(file) === 'node_modules' || FOR_DEVELOPERS.test(file)),
  });
}

async function readPackage(folder) {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
}
