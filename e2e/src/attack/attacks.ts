import type { Attack, AttackSize } from './attack.js';
import { actAsAdministrator } from './act-as-administrator.js';
import { assignExtraFields } from './assign-extra-fields.js';
import { callEachOther } from './call-each-other.js';
import { callItself } from './call-itself.js';
import { chooseUpstream } from './choose-upstream.js';
import { crashByOneRequest } from './crash-by-one-request.js';
import { crowdOut } from './crowd-out.js';
import { disableChannels } from './disable-channels.js';
import { dodgeAuthentication } from './dodge-authentication.js';
import { failCharges } from './fail-charges.js';
import { failUpstreams } from './fail-upstreams.js';
import { failVideos } from './fail-videos.js';
import { findUndocumentedRoutes } from './find-undocumented-routes.js';
import { forgeLogLines } from './forge-log-lines.js';
import { forgeRedisMessages } from './forge-redis-messages.js';
import { forgeSessions } from './forge-sessions.js';
import { freezeBilling } from './freeze-billing.js';
import { freezeGateway } from './freeze-gateway.js';
import { guessPasswords } from './guess-passwords.js';
import { holdEventLoopByAnswers } from './hold-event-loop-by-answers.js';
import { holdEventLoopByRecall } from './hold-event-loop-by-recall.js';
import { holdEventLoop } from './hold-event-loop.js';
import { holdMemory } from './hold-memory.js';
import { injectSqlByKey } from './inject-sql-by-key.js';
import { injectTemplates } from './inject-templates.js';
import { leakSecrets } from './leak-secrets.js';
import { leaveStreams } from './leave-streams.js';
import { lieAboutUsage } from './lie-about-usage.js';
import { OVERDRAW_ATTACKS } from './overdraw-wallet.js';
import { pollutePrototypes } from './pollute-prototypes.js';
import { reachInternalAddresses } from './reach-internal-addresses.js';
import { readForeignKeys } from './read-foreign-keys.js';
import { readForeignTasks } from './read-foreign-tasks.js';
import { replaceGateway } from './replace-gateway.js';
import { sendOddParameters } from './send-odd-parameters.js';
import { shareAnswers } from './share-answers.js';
import { smuggleRequests } from './smuggle-requests.js';
import { useRevokedKeys } from './use-revoked-keys.js';
import { varyContentType } from './vary-content-type.js';

/** The attacks on a running monolith, in the order of their first threat; secrets are looked for after all the others. */
export const ATTACKS: readonly Attack[] = [
  injectSqlByKey,
  readForeignKeys,
  readForeignTasks,
  actAsAdministrator,
  assignExtraFields,
  chooseUpstream,
  reachInternalAddresses,
  injectTemplates,
  forgeSessions,
  guessPasswords,
  crashByOneRequest,
  varyContentType,
  dodgeAuthentication,
  smuggleRequests,
  lieAboutUsage,
  sendOddParameters,
  leaveStreams,
  failUpstreams,
  failVideos,
  forgeLogLines,
  shareAnswers,
  disableChannels,
  pollutePrototypes,
  holdEventLoop,
  holdEventLoopByAnswers,
  holdEventLoopByRecall,
  holdMemory,
  callItself,
  callEachOther,
  forgeRedisMessages,
  useRevokedKeys,
  findUndocumentedRoutes,
  crowdOut,
  leakSecrets,
];

/** The attacks that take minutes of calls, beside which the others need not wait. */
export const WALLET_ATTACKS: readonly Attack[] = OVERDRAW_ATTACKS;

/** The attacks that start, kill and freeze processes of their own. They wait most of the time, and run beside each other. */
export const PROCESS_ATTACKS: readonly Attack<AttackSize>[] = [
  freezeBilling,
  replaceGateway,
  freezeGateway,
  failCharges,
];
