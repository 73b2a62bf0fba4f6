// Copies what one plane runs, and nothing else, from a built workspace: its bundle, what that serves, and of each package in
// the bundle what names it: scanners read its version, and its licence asks for it.
// node deploy/docker/copy-plane.mjs <plane> <folder>
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/** Source maps are for those who develop. */
const FOR_DEVELOPERS = /\.map$/;
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
/** A package's description and its licence. */
const NAMING = /^(?:package\.json|(?:licen[cs]e|copying|notice).*)$/i;
/** The page of the API reference, whose files are served as they are. */
const SERVED = { package: 'node_modules/@nestjs/swagger', files: 'node_modules/swagger-ui-dist' };

const [plane, target] = process.argv.slice(2);
const root = process.cwd();
const out = resolve(target);
const bundle = `dist/apps/${plane}`;

copyFiles(bundle);
const packages = listPackages();
for (const folder of packages) {
  for (const name of readdirSync(folder)) if (NAMING.test(name)) copyFiles(join(folder, name));
}
if (packages.has(SERVED.package)) copyFiles(SERVED.files);
const { nx, version } = readJson(`apps/${plane}/package.json`);
for (const page of nx.implicitDependencies ?? []) copyFiles(`dist/apps/${page}`);
copyFiles('deploy/docker/check-health.sh');
copyFiles('LICENSE');
const description = { name: `model-gateway-${plane}`, version, private: true, type: 'module' };
writeFileSync(join(out, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);

/** Folders of the packages in the bundle, as its source maps list them. */
function listPackages() {
  const maps = readdirSync(bundle).filter((name) => name.endsWith('.map'));
  const sources = maps.flatMap((name) => readJson(join(bundle, name)).sources);
  const folders = sources.flatMap(
    (source) => PACKAGE.exec(relative(root, resolve(bundle, source)))?.[0] ?? [],
  );
  return new Set(folders);
}

function copyFiles(path) {
  cpSync(join(root, path), join(out, path), {
    recursive: true,
    filter: (file) => !FOR_DEVELOPERS.test(file),
  });
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
