// Copies what one plane needs to run, and nothing else, from a built workspace: its own files, the libraries and packages that
// it depends on, and theirs. node deploy/docker/copy-plane.mjs <plane> <folder>
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

/** Types and source maps are for those who develop. */
const FOR_DEVELOPERS = /\.d\.[cm]?ts$|\.map$|\.tsbuildinfo$/;

const [plane, target] = process.argv.slice(2);
const root = process.cwd();
const out = resolve(target);
const copied = new Set();

copyDependencies(join(root, 'apps', plane));
copyFiles(`dist/apps/${plane}`);
const { nx, version } = readPackage(join(root, 'apps', plane));
for (const page of nx.implicitDependencies ?? []) copyFiles(`dist/apps/${page}`);
copyFiles('deploy/docker/check-health.sh');
copyFiles('LICENSE');
const description = { name: `model-gateway-${plane}`, version, private: true, type: 'module' };
writeFileSync(join(out, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);

/** Follows what a package cannot do without. Optional packages are faster ways to the same end, and stay away. */
function copyDependencies(folder) {
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
  } = readPackage(folder);
  const needed = Object.keys(dependencies).filter((name) => !(name in optionalDependencies));
  const expected = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  for (const name of [...needed, ...expected]) copyPackage(name, folder);
}

function copyPackage(name, dependent) {
  const installed = findInstalled(name, dependent);
  if (copied.has(installed)) return;
  copied.add(installed);
  const folder = realpathSync(installed);
  if (folder === installed) {
    copyFiles(relative(root, installed));
  } else {
    copyLibrary(relative(root, folder), relative(root, installed));
  }
  copyDependencies(folder);
}

/** A library of the workspace: its build, and the link by which Node finds it. */
function copyLibrary(library, link) {
  copyFiles(join(library, 'package.json'));
  copyFiles(join(library, 'dist'));
  mkdirSync(join(out, dirname(link)), { recursive: true });
  symlinkSync(relative(dirname(link), library), join(out, link));
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
function copyFiles(path) {
  const source = join(root, path);
  cpSync(source, join(out, path), {
    recursive: true,
    filter: (file) => file === source || !(basename(file) === 'node_modules' || FOR_DEVELOPERS.test(file)),
  });
}

function readPackage(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
