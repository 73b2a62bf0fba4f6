import { fileURLToPath } from 'node:url';

/** The checkout's own folder, with a slash at its end. */
export const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
