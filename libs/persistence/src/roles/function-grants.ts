import type { PlaneName } from './plane-roles.js';

const BILLING: readonly PlaneName[] = ['billing'];
/** Called by triggers, which need no right to it. */
const TRIGGERS: readonly PlaneName[] = [];

/** Called by migrations, as the owner. */
const MIGRATIONS: readonly PlaneName[] = [];

/** Every function and the planes that may call it: the verbs of money are billing's. One without a line fails a test. */
export const FUNCTION_GRANTS: Readonly<Record<string, readonly PlaneName[]>> = {
  // Money.
  'hold_open_many(jsonb)': BILLING,
  'hold_open_batch(jsonb,boolean)': BILLING,
  'hold_open(hold_question[])': BILLING,
  'admit_hold(hold_question,bigint,bigint)': BILLING,
  'hold_void(uuid)': BILLING,
  'hold_renew(uuid[],text,text,interval)': BILLING,
  'settle(settlement[])': BILLING,
  'post_batch(jsonb)': BILLING,
  'post_usage(jsonb,boolean,boolean)': BILLING,
  'restore_hold(uuid,boolean)': BILLING,
  'post_leased_usage(jsonb,boolean,boolean)': BILLING,
  'take_from_leases(jsonb,boolean,boolean)': BILLING,
  'time_of_id(uuid)': BILLING,
  'lease_open(uuid,jsonb)': BILLING,
  'lease_close(uuid,jsonb,text,text)': BILLING,
  'lease_recall(jsonb)': BILLING,
  'lease_sweep(integer)': BILLING,
  'postpone_usage(uuid[])': BILLING,
  'usage_post_again(uuid)': BILLING,
  'is_passing_failure(text)': BILLING,
  'explain_ended_lives(interval)': BILLING,
  'note_ended_life()': TRIGGERS,
  'book_waste(jsonb)': BILLING,
  'book_lost_calls(uuid[])': BILLING,
  'book_refunded_videos(integer)': BILLING,
  'take_back_lost_calls(uuid[])': BILLING,
  'book_waste_move(text,bigint,text,text)': BILLING,
  'book_wallet_move(uuid,uuid,text,bigint,text,text,text,uuid)': BILLING,
  'topup(uuid,bigint,text,text)': BILLING,
  'wallet_open(uuid,text,uuid,bigint)': BILLING,
  'wallet_limit_credit(uuid,bigint)': BILLING,
  'refund(uuid,text)': BILLING,
  'sweep(integer)': BILLING,
  'plane_heartbeat(text,text)': BILLING,
  'end_silent_lives(interval)': BILLING,
  'explain_calls_of_life(text,text)': BILLING,
  'explain_lost_calls(uuid[])': BILLING,
  'explain_calls_of_earlier_life(text)': BILLING,
  'money_drift()': BILLING,
  'ledger_drift()': BILLING,
  'task_drift()': BILLING,
  'recent_drift()': BILLING,
  'task_drift_of(uuid[])': BILLING,
  'ledger_check_step(integer,integer,interval)': BILLING,
  'note_settled_entries()': BILLING,
  'add_to_ledger_sum(bigint,bigint,bigint)': BILLING,
  'note_suspect_tasks(uuid,integer)': BILLING,

  // Budgets.
  'budget_start(text,text)': ['billing', 'console'],
  'budget_end(text,text)': ['billing', 'console'],
  'budget_reached(bigint,bigint)': ['billing', 'console'],
  'budget_user(uuid)': BILLING,
  'budget_held(text,uuid)': BILLING,
  'budget_room(uuid,uuid)': BILLING,
  'budgets_reached()': BILLING,
  'leased_of_budget(text,uuid)': BILLING,
  'spend_of_budgets()': TRIGGERS,
  'set_budgets()': TRIGGERS,
  'drop_budgets()': TRIGGERS,

  // Retention.
  'expire_rows(text,timestamp with time zone,uuid,integer)': BILLING,
  'first_id_at(timestamp with time zone)': BILLING,
  'add_partitions(text)': BILLING,
  // Of the version before.
  'drop_partition(text,integer)': BILLING,
  'detach_partition(text,integer)': BILLING,
  'drop_detached(text)': BILLING,
  'expire_reports(interval)': BILLING,
  'expire_captured_bodies(integer)': BILLING,
  'list_partitions(text)': BILLING,
  'prepare_partitions(text,text)': MIGRATIONS,
  'cut_into_partitions(text)': MIGRATIONS,
  'move_grants(text,text)': MIGRATIONS,

  // Money of video tasks.
  'task_open(jsonb,jsonb)': BILLING,
  'task_charge(uuid)': BILLING,
  'task_end(uuid,text,text[],jsonb,jsonb,bigint,integer,text)': BILLING,
  'task_sweep(interval,integer)': BILLING,
  'due_work()': ['video-worker'],
  'lock_task(uuid)': BILLING,
  'post_task_hold(task)': BILLING,
  'write_task_end(uuid,text,jsonb,jsonb,text)': BILLING,
  'explain_task_end(uuid)': BILLING,
  'is_task_end(text)': BILLING,

  // Sums of usage.
  'usage_fold(integer)': BILLING,
  'usage_class(integer)': ['gateway', 'console'],
  'usage_of_new_calls()': TRIGGERS,
  'usage_of_changed_calls()': TRIGGERS,
  'usage_of_money()': TRIGGERS,

  // Narrow writes of other planes.
  'task_hide(uuid,text)': ['gateway'],
  'task_hide_in_wallet(uuid,text)': ['gateway'],
  'wallet_assign(uuid,uuid)': ['console'],
  'task_order_drop(uuid)': ['gateway'],
  'channel_credentials_write(uuid,jsonb)': ['console'],
  'console_attempt_count(text,integer,integer)': ['console'],

  // The owner's alone.
  'renew_installation()': [],

  'refuse_change()': TRIGGERS,
  'announce_catalog_change()': TRIGGERS,
  'announce_token_change()': TRIGGERS,
  'discard_object()': TRIGGERS,
  'announce_limits_of_wallet()': TRIGGERS,
  'announce_limits_of_user()': TRIGGERS,
  'announce_journal()': TRIGGERS,
  'recall_leases_of_token()': TRIGGERS,
  'announce_task()': TRIGGERS,
  'drop_order()': TRIGGERS,
  'end_task_of_released_hold()': TRIGGERS,
};

/** Those that run with their owner's rights, and so may find tables in our own schema only. */
export const OWNERS_FUNCTIONS: readonly string[] = [
  'task_hide(uuid,text)',
  'task_hide_in_wallet(uuid,text)',
  'wallet_assign(uuid,uuid)',
  'task_order_drop(uuid)',
  'channel_credentials_write(uuid,jsonb)',
  'drop_order()',
  'restore_hold(uuid,boolean)',
  'expire_rows(text,timestamp with time zone,uuid,integer)',
  'add_partitions(text)',
  'drop_partition(text,integer)',
  'detach_partition(text,integer)',
  'drop_detached(text)',
  'expire_reports(interval)',
  'expire_captured_bodies(integer)',
  'set_budgets()',
  'drop_budgets()',
  'usage_fold(integer)',
  'usage_of_new_calls()',
  'usage_of_changed_calls()',
  'usage_of_money()',
];
