import { findProgram, type ProgramBinary } from '../server/find-program.js';

/**
 * The nginx of this machine, or else Debian's, downloaded once into the checkout's `.cache`.
 *
 * @throws Error with one sentence about how to get nginx when there is none.
 */
export function findNginxBinary(): Promise<ProgramBinary> {
  return findProgram({
    title: 'nginx',
    names: ['nginx'],
    package: 'nginx',
    path: 'usr/sbin/nginx',
    versionParameter: '-v',
    advice: "install Debian's nginx: `apt-get install --no-install-recommends nginx`",
  });
}
