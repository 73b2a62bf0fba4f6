/**
 * What the product writes of calls, attempts, video tasks, messages and entries of the ledger, by code. `…` stands for a value; what ends with a colon goes on
 * with another phrase or with words of a provider. A page in another language says each in its own words.
 *
 * Of phrases that begin alike the longer one comes first.
 */
const TEMPLATES = {
  // Why a channel was asked.
  fallback_failure: 'model … after failure of …',
  fallback_context: 'model … after context of …',
  fallback_refusal: 'model … after refusal of …',
  priority: 'priority …',
  only_one: 'the only one',
  by_weight: 'chosen by weight … among …',
  kept_for_conversation: 'kept for this conversation among …',
  holds_cached_content: 'the one that holds the cached content',
  holds_response: 'the one that holds the response before',
  latency_unmeasured: 'by latency: not measured yet',
  latency_to_first_event: 'by latency: … ms to the first event',
  latency_to_answer: 'by latency: … ms to a whole answer',
  calls_in_flight: 'by busy: … calls in flight',
  price_unknown: 'by cost: its price is not known',
  price_of_tokens: 'by cost: … USD for a million tokens in and out',
  weight: 'by priority: weight …',
  place: 'place … of …',
  after_one: 'after 1 other',
  after_others: 'after … others',
  another_key: 'with another key',
  one_before_late: 'since the one before is late',
  native_batch: 'in a batch of its provider',
  response_not_begun: 'a response that did not begin of session …',
  response_of_session: 'a response of session …',
  transcript_of_session: 'a transcript of session …',
  // Why it was not.
  limit_rpm: "not asked: the channel's limit of … requests per minute is reached",
  limit_rpd: "not asked: the channel's limit of … requests per day is reached",
  limit_tpm: "not asked: the channel's limit of … tokens per minute is reached",
  limit_concurrency: "not asked: the channel's limit of … calls at the same time is reached",
  call_took_its_time: 'not asked: the call has taken the whole of its timeout.total, … ms',
  another_call_tries: 'not asked: another call finds out whether it is back',
  too_many_retries: 'not asked: a tenth of the calls were retries already',
  // How an attempt ended.
  goes_on_upstream: 'goes on from what its upstream keeps',
  forgotten_upstream: 'asked as a whole since its upstream has forgotten the response before',
  dropped: 'dropped …',
  status_said: 'status …: ',
  status: 'status …',
  probe: 'a probe: ',
  content_refused: 'the model refused the content',
  answered_sooner: 'cancelled: another channel answered sooner',
  outcome_unknown: 'what became of it is not known',
  unreachable_by: 'the upstream cannot be reached (…)',
  unreachable: 'the upstream cannot be reached',
  upstream_unreachable: 'The upstream cannot be reached.',
  no_answer_in_time_by: 'the upstream did not answer in time (…)',
  no_answer_in_time: 'the upstream did not answer in time',
  no_whole_answer: 'no whole answer within … ms',
  no_event: 'no event of its stream came within … ms',
  silence: 'nothing came for … ms',
  connection_broke_by: 'the connection to the upstream broke (…)',
  connection_broke: 'the connection to the upstream broke',
  ended_by_gateway_by: 'the call was ended by the gateway (…)',
  ended_by_gateway: 'the call was ended by the gateway',
  token_server_status: 'the token server answered with status …',
  token_server_unreachable: 'the token server cannot be reached',
  answered_nothing: 'it answered with nothing',
  stream_empty: 'its stream holds no event',
  stream_error: 'its stream opens with an error',
  stream_failed: 'its stream holds an error',
  stream_ended: 'its stream ended early',
  event_unreadable: 'an event of its stream could not be read',
  broke_off: 'broke off after it had begun: ',
  answer_too_large: 'its answer is larger than … bytes',
  unreadable: 'it could not be read: ',
  no_session: 'it began no session',
  no_session_in_time: 'it began no session in time',
  session_closed: 'a session was closed (…)',
  // What happened to a video task.
  cost_held: 'cost held',
  to_channel: 'to channel …',
  left_out: 'left out: ',
  submit_lost: 'its worker was lost during the submit',
  arrival_unknown: 'it is not known whether it arrived: ',
  found_at_provider: 'found at the provider',
  no_such_job: 'the provider has no such job',
  channel_refused: 'channel … refused: ',
  upstream_refused: 'The upstream refused the task.',
  upstream_limited: 'The upstream is over its limit. Try again later.',
  no_channel: 'No channel can take the task at the moment.',
  poll_failed: 'a poll brought no usable answer: ',
  no_video_channel: 'its channel makes no videos any more',
  provider_answered: 'the provider answered …: ',
  not_submitted: 'not submitted: ',
  order_withdrawn: 'its order was withdrawn before it was submitted',
  cancelled_before_submit: 'cancelled by its owner before it was submitted',
  cancelled_at_provider: 'cancelled by its owner, also at the provider',
  channel_deleted: 'its channel was deleted',
  ended_by_provider: 'the provider ended it: ',
  submit_not_found: 'its submit could not be found at the provider',
  no_result: 'no result in time',
  made_and_kept: 'made, and a copy kept',
  made: 'made',
  // What a test of a channel came to.
  no_json: 'The upstream answered no JSON',
  upstream_answered: 'The upstream answered …: ',
  upstream_answered_alone: 'The upstream answered …',
  keys_disabled: 'Every key of the channel is disabled',
  channel_gone: 'The channel is gone',
  serves_no_model: 'The channel serves no model: add one to try it with',
  no_model_list: 'Channels of type … have no list of models to ask for',
  no_chat_model: 'Channels of type … serve no chat model "…"',
  // What the caller of a failed call was told.
  model_unknown: 'The model "…" does not exist',
  model_of_other_kind: 'The model "…" is of kind …; this endpoint serves … models',
  model_unpriced: 'The model "…" has no price for …, so it cannot be used',
  model_not_allowed: 'This API key may not use the model "…"',
  model_unserved: 'No channel serves the model "…" at the moment',
  no_channel_tried: 'No channel could be tried',
  wallet_empty: 'The wallet of this API key is empty',
  wallet_short: 'This call may cost … USD and the wallet has … USD available',
  quota_short: "This call may cost … USD and the token's spending quota has … USD left",
  budget_short: "This call may cost … USD and the …'s budget of the … has … USD left",
  key_invalid: 'The API key is not valid. It may be mistyped, disabled or deleted',
  key_expired: 'The API key has expired',
  key_disabled: 'The API key, or the user whom it belongs to, is disabled',
  key_over: 'The API key was disabled or has expired',
  too_many_calls: 'This API key has … calls in flight',
  body_too_large: 'The body is larger than this endpoint takes',
  upstream_over_limits: 'The upstream is over its limits. Try again later',
  upstream_status: 'The upstream answered with status …',
  upstream_failed_by: 'The upstream failed: ',
  upstream_failed: 'The upstream failed',
  model_refused: 'The model refused the content',
  billing_silent: 'Billing does not answer',
  billing_unreachable: 'Billing cannot be reached at the moment; try again shortly',
  gateway_stopping: 'This gateway is being stopped; try again',
  task_cancelled: 'The task was cancelled',
  video_late: 'The video was not finished in time',
  video_channel_gone: 'The channel that made the video is no longer there',
  // Why a message was not delivered.
  no_public_address: 'leads to no public address',
  receiver_status: 'the receiver answered with status …',
  // What an entry of the ledger is for.
  redemption_code_of: 'redemption code: ',
  redemption_code: 'redemption code',
  opening_balance: 'opening balance',
} as const;

type PhraseCode = keyof typeof TEMPLATES;

/** Every code of a phrase; `other` is text that is none. */
export const PHRASE_CODES = [...(Object.keys(TEMPLATES) as PhraseCode[]), 'other'] as const;

/** A phrase by its code, with the values in it. Of `other` the only value is the text. */
export interface Phrase {
  readonly code: PhraseCode | 'other';
  readonly values: string[];
}

interface Reader {
  readonly code: PhraseCode;
  readonly pattern: RegExp;
}

/** A value ends where the next clause begins. */
const VALUE = '((?:(?![,;] ).)*?)';
const CLAUSE_END = String.raw`(?:[,;] |\.?$)`;
const SPECIAL = /[.*+?^${}()|[\]\\]/g;

const readers: ReadonlyMap<string, readonly Reader[]> = Map.groupBy(
  (Object.keys(TEMPLATES) as PhraseCode[]).map((code) => ({ code, pattern: toPattern(TEMPLATES[code]) })),
  ({ code }) => firstWord(TEMPLATES[code]),
);

/**
 * Reads what an attempt's `reason` or the note of a video task says. What is in no template, as words of a provider are
 * not, is one phrase `other` up to the end.
 */
export function readPhrases(text: string): Phrase[] {
  const phrases: Phrase[] = [];
  let rest = text;
  while (rest !== '') {
    const phrase = readOne(rest);
    if (!phrase) return [...phrases, { code: 'other', values: [rest] }];
    phrases.push({ code: phrase.code, values: phrase.values });
    rest = rest.slice(phrase.length);
  }
  return phrases;
}

function readOne(text: string): (Phrase & { readonly length: number }) | undefined {
  for (const { code, pattern } of readers.get(firstWord(text)) ?? []) {
    const match = pattern.exec(text);
    if (match) return { code, values: match.slice(1), length: match[0].length };
  }
  return undefined;
}

/** With its punctuation, as in `status` and `cancelled:`. */
function firstWord(text: string): string {
  const [word = ''] = /^[^ ]*/.exec(text) ?? [];
  return word.replace(/[,;]$/, '');
}

function toPattern(template: string): RegExp {
  const written = template.split('…').map((part) => part.replace(SPECIAL, String.raw`\$&`));
  return new RegExp(`^${written.join(VALUE)}${template.endsWith(': ') ? '' : CLAUSE_END}`);
}
