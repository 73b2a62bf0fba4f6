import {
  CachedContents,
  Compactions,
  DiscardedObjects,
  IdempotentReplies,
  type SecretKey,
  StoredConversations,
  StoredFiles,
  StoredResponses,
  StoredUploads,
  UploadLinks,
  WalletBatches,
} from '@mg/persistence/gateway';
import { readObjectInSlices, stringifyInSlices } from '@mg/protocols';
import { type Lifecycle, type PlaneOptions, repeatEvery } from '@mg/runtime';
import type { ResultStore } from '@mg/transport';
import type { DataSource } from 'typeorm';
import type { GatewayContext } from './call/gateway-context.js';
import type { BodyBudget } from './edge/body-budget.js';
import { isHeavy, nextTurn } from './edge/loop-turns.js';
import { WorkTurns } from './edge/work-turns.js';

const EXPIRE_EVERY_MS = 3_600_000;

/** Large texts are written and parsed in steps, each in a turn of the event loop of its own. */
const JSON_IN_STEPS = {
  write: (value: unknown) => stringifyInSlices(value, nextTurn),
  read: async (text: Buffer): Promise<unknown> =>
    isHeavy(text.length) ? readObjectInSlices(text, nextTurn) : JSON.parse(text.toString()),
};

type Memories = Pick<
  GatewayContext,
  | 'replies'
  | 'responses'
  | 'conversations'
  | 'compactions'
  | 'files'
  | 'uploads'
  | 'uploadLinks'
  | 'batches'
  | 'cachedContents'
>;

interface MemoryParts {
  readonly database: DataSource;
  readonly secretKey: SecretKey;
  /** Where results of batches are kept, if not in Postgres. */
  readonly results: ResultStore | undefined;
  /** Large answers are read one at a time, those that are given again among them. */
  readonly bodies: BodyBudget;
}

/** What is kept of calls for later ones. What is too old is deleted now and every hour. */
export function openMemories(
  { database, secretKey, results, bodies }: MemoryParts,
  { environment, logger }: Pick<PlaneOptions, 'environment' | 'logger'>,
  life: Lifecycle,
): Memories {
  const replies = new IdempotentReplies(database, secretKey, {
    pause: nextTurn,
    takeTurn: () => bodies.answerTurns.take(),
  });
  const recallTurns = new WorkTurns();
  const inSteps = { pause: nextTurn, json: JSON_IN_STEPS, takeTurn: () => recallTurns.take() };
  const responses = new StoredResponses(database, secretKey, inSteps);
  const conversations = new StoredConversations(database, secretKey, inSteps);
  const files = new StoredFiles(database, secretKey, {
    keepDays: environment.RETENTION_FILES_DAYS,
    pause: nextTurn,
    store: results,
    onStoreFailure: (error) =>
      logger.warn({ err: error }, 'results of a batch cannot be read from the result store'),
  });
  const batches = new WalletBatches(database, secretKey, nextTurn);
  const uploads = new StoredUploads(database, files);
  const cachedContents = new CachedContents(database);
  const expire = (what: string, work: () => Promise<void>) =>
    life.own(
      'background',
      `expiry of ${what}`,
      repeatEvery(EXPIRE_EVERY_MS, work, (error) => logger.warn({ err: error }, `old ${what} stay`)),
    );
  expire('idempotent replies', () => replies.expire(environment.RETENTION_REPLIES_HOURS));
  expire('responses', () => responses.expire(environment.RETENTION_RESPONSES_DAYS));
  expire('conversations', () => conversations.expire(environment.RETENTION_RESPONSES_DAYS));
  expire('files', () => files.expire());
  if (results) expire('results in the result store', () => new DiscardedObjects(database, results).remove());
  expire('uploads', () => uploads.expire());
  expire('cached contents', () => cachedContents.expire());
  expire('batches', () => batches.expire(environment.RETENTION_FILES_DAYS));
  return {
    replies,
    responses,
    conversations,
    compactions: new Compactions(secretKey),
    files,
    uploads,
    uploadLinks: new UploadLinks(secretKey),
    batches,
    cachedContents,
  };
}
