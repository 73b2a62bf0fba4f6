// Copies what one plane runs, and nothing else, from a built workspace: its bundle, what that serves, and of each package in
// the bundle what names it: scanners read its version, and its licence asks for it. Beside them, what the image is made of:
// sbom.cdx.json, in CycloneDX's form.
// node deploy/docker/copy-plane.mjs <plane> <folder>
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/** Source maps are for those who develop. */
const FOR_DEVELOPERS = /\.map$/;
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
/** A package's description and its licence. */
const NAMING = /^(?:package\.json|(?:licen[cs]e|copying|notice).*)$/i;
/** The page of the API reference, whose files are served as they are. */
const SERVED = { package: 'node_modules/@nestjs/swagger', files: 'node_modules/swagger-ui-dist' };

/** Of npm's list of packages, in bytes. */
const LONGEST_LIST = 64 * 1024 * 1024;

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
const pages = nx.implicitDependencies ?? [];
for (const page of pages) copyFiles(`dist/apps/${page}`);
copyFiles('deploy/docker/check-health.sh');
copyFiles('LICENSE');
const description = { name: `model-gateway-${plane}`, version, private: true, type: 'module' };
writeFileSync(join(out, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
writeFileSync(join(out, 'sbom.cdx.json'), `${JSON.stringify(describeParts(), null, 2)}\n`);

/** Folders of the packages in the bundle, as its source maps list them. */
function listPackages() {
  const maps = readdirSync(bundle).filter((name) => name.endsWith('.map'));
  const sources = maps.flatMap((name) => readJson(join(bundle, name)).sources);
  const folders = sources.flatMap(
    (source) => PACKAGE.exec(relative(root, resolve(bundle, source)))?.[0] ?? [],
  );
  return new Set(folders);
}

/** By npm's list of packages: those in the plane's bundle and in its page's. */
function describeParts() {
  const bill = listWithNpm();
  const ofBundle = [...packages].map((folder) => namePackage(readJson(join(folder, 'package.json'))));
  const ofPages = pages.flatMap((page) => readJson(`dist/apps/${page}/licenses.json`).map(namePackage));
  const refs = [...new Set([...ofBundle, ...ofPages])];
  const byRef = new Map(bill.components.map((part) => [part['bom-ref'], part]));
  const missing = refs.filter((ref) => !byRef.has(ref));
  if (missing.length > 0) throw new Error(`npm does not list ${missing.join(', ')}.`);
  const component = {
    'bom-ref': namePackage(description),
    type: 'application',
    name: description.name,
    version,
  };
  return {
    ...bill,
    metadata: { ...bill.metadata, component },
    components: refs.map((ref) => byRef.get(ref)),
    dependencies: [{ ref: component['bom-ref'], dependsOn: refs }],
  };
}

/** @see https://docs.npmjs.com/cli/v11/commands/npm-sbom */
function listWithNpm() {
  const list = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: LONGEST_LIST,
  });
  return JSON.parse(list);
}

function namePackage({ name, version: ofPackage }) {
  return `${name}@${ofPackage}`;
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
