import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../steps.mjs';

/** Files that name images of others. */
const FILES = ['docker-compose.yml', 'deploy/docker/Dockerfile'];
const IMAGE = /\b((?:node|postgres|redis|nginx):[\w.-]+)@sha256:[0-9a-f]{64}/g;

/** Copies what belongs to the repository, so that neither `.env` nor configuration of this checkout is touched. */
export function copyProject(folder) {
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const path of list.split('\0').filter((name) => name !== '' && existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(ROOT, path), join(folder, path));
  }
}

/** Takes the digests from images that stand-ins are made for: their content is another. Answers the images' names. */
export function takeDigests(folder) {
  const names = new Set();
  for (const file of FILES) {
    const text = readFileSync(join(folder, file), 'utf8');
    writeFileSync(
      join(folder, file),
      text.replaceAll(IMAGE, (_whole, name) => {
        names.add(name);
        return name;
      }),
    );
  }
  return [...names];
}
