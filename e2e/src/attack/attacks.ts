import type { Attack } from './attack.js';
import { injectSqlByKey } from './inject-sql-by-key.js';
import { varyContentType } from './vary-content-type.js';

/** Every attack, in the order of its first threat. */
export const ATTACKS: readonly Attack[] = [injectSqlByKey, varyContentType];
