/** A gateway that has been silent for so long is gone, as everywhere: docs/decisions/0013-owners-by-epoch.md. */
const SILENT_AFTER_MS = 60_000;
/**
 * After Redis came up empty, each gateway reports to it what it has used and what runs there, which they do every second:
 * until then nothing is granted.
 */
const WARM_UP_MS = 2_500;
/** What has changed within this time is told to gateways that ask what they have not heard of. */
const CHANGED_WITHIN_MS = 10_000;
/** Figures that one answer holds; what is left over is asked for at once. */
export const FIGURES_AT_ONCE = 500;
/** Permits that a process prefetches count from the end of the time in which it may use them. */
export const BATCH_MS = 2_000;

/**
 * What both scripts know. A window is a hash of buckets of time, with their sum and the first and last of them; `calls` is a
 * hash of the calls that each gateway may have at the same time; `changed` is a sorted set of meters by the time of their last
 * change. All times are on this server's clock.
 */
const COMMON = /* lua */ `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local gateways, life_key, changed, instance, epoch = KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2]

local function name(bucket) return string.format('%.0f', bucket) end

-- The sum of a window without what is over, with its first and last bucket.
local function open_window(key, size, count)
  local state = redis.call('HMGET', key, 'sum', 'first', 'last')
  local sum, first, last = tonumber(state[1]) or 0, tonumber(state[2]), tonumber(state[3])
  local oldest = math.floor(now / size) - count
  if first and last < oldest then
    redis.call('DEL', key)
    return 0, nil, nil
  end
  if first and first < oldest then
    local names = {}
    for bucket = first, oldest - 1 do names[#names + 1] = name(bucket) end
    for _, taken in ipairs(redis.call('HMGET', key, unpack(names))) do sum = sum - (tonumber(taken) or 0) end
    redis.call('HDEL', key, unpack(names))
    first = oldest
    redis.call('HSET', key, 'sum', name(sum), 'first', name(first))
  end
  return sum, first, last
end

-- Adds to a bucket; answers the window's first and last.
local function add(key, size, count, bucket, amount, first, last)
  redis.call('HINCRBY', key, name(bucket), name(amount))
  redis.call('HINCRBY', key, 'sum', name(amount))
  first, last = math.min(first or bucket, bucket), math.max(last or bucket, bucket)
  redis.call('HSET', key, 'first', name(first), 'last', name(last))
  redis.call('PEXPIRE', key, size * (count + 8))
  return first, last
end

-- What other live gateways may have at the same time; those that are gone are forgotten.
local function calls_elsewhere(key)
  local sum, fields = 0, redis.call('HGETALL', key)
  for i = 1, #fields, 2 do
    if fields[i] ~= instance then
      local of, slice = string.match(fields[i + 1], '^(%S+) (%d+)$')
      local known, seen = string.match(redis.call('HGET', gateways, fields[i]) or '', '^(%S+) (%d+)$')
      if known == of and now - seen < ${SILENT_AFTER_MS} then
        sum = sum + slice
      else
        redis.call('HDEL', key, fields[i])
      end
    end
  end
  return sum
end

local function own_calls(key)
  local of, slice = string.match(redis.call('HGET', key, instance) or '', '^(%S+) (%d+)$')
  return of == epoch and tonumber(slice) or 0
end

local function note_changed(keys)
  if #keys == 0 then return end
  local members = {}
  for _, key in ipairs(keys) do
    members[#members + 1] = name(now)
    members[#members + 1] = key
  end
  redis.call('ZADD', changed, unpack(members))
  redis.call('PEXPIRE', changed, ${CHANGED_WITHIN_MS})
end

local function set_calls(key, slice)
  redis.call('HSET', key, instance, epoch .. ' ' .. name(slice))
  redis.call('PEXPIRE', key, ${SILENT_AFTER_MS * 2})
end
`;

/**
 * Takes from every meter of a call, or from none.
 *
 * KEYS: gateways, life, changed, meters. ARGV: instance, epoch, and for each meter: kind, limit, bucket in ms, buckets, need, want.
 * A window gives `need`, and up to `want` ahead while less than half of the limit is used; `calls` gives a slice of at least
 * `need` calls at the same time, of `want` while that is less than half of the limit.
 *
 * Answers state (1 granted, 0 refused, -1 not yet), now, life, the ms to wait, and for each meter: used, given (ahead, or the slice),
 * ms until it is as new, ms to wait where it refuses.
 */
export const TAKE_SCRIPT = /* lua */ `${COMMON}
local life = redis.call('GET', life_key)
if not life then return {-1, now, '', ${WARM_UP_MS}} end
if now - life < ${WARM_UP_MS} then return {-1, now, life, ${WARM_UP_MS} - (now - life)} end

local meters, refused = {}, false
for i = 4, #KEYS do
  local at = 2 + (i - 4) * 6
  local m = {
    key = KEYS[i], kind = ARGV[at + 1], limit = tonumber(ARGV[at + 2]), size = tonumber(ARGV[at + 3]),
    count = tonumber(ARGV[at + 4]), need = tonumber(ARGV[at + 5]), want = tonumber(ARGV[at + 6]), wait = 0, given = 0
  }
  if m.kind == 'calls' then
    m.elsewhere, m.own = calls_elsewhere(m.key), own_calls(m.key)
    m.used, m.given = m.elsewhere + m.own, m.own
    if m.elsewhere + m.need > m.limit then m.wait = 1000 end
  else
    m.used, m.first, m.last = open_window(m.key, m.size, m.count)
    if m.used + m.need > m.limit then
      local lacking, freed, names = m.used + m.need - m.limit, 0, {}
      m.wait = m.size * (m.count + 1)
      for bucket = m.first or 0, m.last or -1 do names[#names + 1] = name(bucket) end
      for j, taken in ipairs(#names > 0 and redis.call('HMGET', m.key, unpack(names)) or {}) do
        freed = freed + (tonumber(taken) or 0)
        if freed >= lacking then
          m.wait = (m.first + j + m.count) * m.size - now
          break
        end
      end
      m.wait = math.max(m.wait, 1)
    end
  end
  refused = refused or m.wait > 0
  meters[#meters + 1] = m
end

local answer, longest, keys = {refused and 0 or 1, now, life, 0}, 0, {}
for _, m in ipairs(meters) do
  if not refused then keys[#keys + 1] = m.key end
  if not refused and m.kind == 'calls' then
    -- What was reported of it may count requests that were refused.
    m.given = math.max(m.need, math.min(m.own, m.limit - m.elsewhere))
    if m.elsewhere + m.want <= m.limit / 2 then m.given = math.max(m.given, m.want) end
    set_calls(m.key, m.given)
    m.used = m.elsewhere + m.given
  elseif not refused then
    local bucket = math.floor(now / m.size)
    m.first, m.last = add(m.key, m.size, m.count, bucket, m.need, m.first, m.last)
    m.used = m.used + m.need
    m.given = math.max(0, math.min(m.want, math.floor((m.limit / 2 - m.used) / 4)))
    if m.given > 0 then
      local ahead = math.floor((now + ${BATCH_MS}) / m.size)
      m.first, m.last = add(m.key, m.size, m.count, ahead, m.given, m.first, m.last)
      m.used = m.used + m.given
    end
  end
  longest = math.max(longest, m.wait)
  local reset = m.last and (m.last + m.count + 1) * m.size - now or 0
  for _, figure in ipairs({m.used, m.given, reset, m.wait}) do answer[#answer + 1] = figure end
end
note_changed(keys)
answer[4] = longest
return answer
`;

/**
 * Reports that a gateway is alive, and corrects what it has taken.
 *
 * KEYS as above. ARGV: instance, epoch, and for each meter: kind, bucket in ms, buckets, bucket (-1: now), amount to add, or
 * the slice of calls. Answers now, life, live gateways, the place of this one among them, and for each meter: used.
 */
export const REPORT_SCRIPT = /* lua */ `${COMMON}
redis.call('SET', life_key, name(now), 'NX')
redis.call('HSET', gateways, instance, epoch .. ' ' .. name(now))
local living, rank, fields = 0, 0, redis.call('HGETALL', gateways)
for i = 1, #fields, 2 do
  local seen = string.match(fields[i + 1], '(%d+)$')
  if now - seen >= ${SILENT_AFTER_MS} then
    redis.call('HDEL', gateways, fields[i])
  else
    living = living + 1
    if fields[i] < instance then rank = rank + 1 end
  end
end

local answer, keys = {now, redis.call('GET', life_key), living, rank}, {}
for i = 4, #KEYS do
  local at = 2 + (i - 4) * 5
  local key, kind, size, count = KEYS[i], ARGV[at + 1], tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local bucket, amount = tonumber(ARGV[at + 4]), tonumber(ARGV[at + 5])
  if kind == 'calls' or amount ~= 0 then keys[#keys + 1] = key end
  if kind == 'calls' then
    if amount > 0 then set_calls(key, amount) else redis.call('HDEL', key, instance) end
    answer[#answer + 1] = calls_elsewhere(key) + amount
  else
    local used, first, last = open_window(key, size, count)
    local current = math.floor(now / size)
    if bucket < 0 then bucket = current end
    if amount ~= 0 and bucket >= current - count then
      add(key, size, count, bucket, amount, first, last)
      used = used + amount
    end
    answer[#answer + 1] = used
  end
end
note_changed(keys)
return answer
`;

/**
 * Tells what is used of the meters that have changed, whoever changed them.
 *
 * KEYS: gateways, life, changed. ARGV: instance, epoch, since when. Answers the time from which to ask for more, and for each
 * meter: its key, and what is used of it - by others than this gateway, of calls.
 */
export const LISTEN_SCRIPT = /* lua */ `${COMMON}
redis.call('ZREMRANGEBYSCORE', changed, '-inf', '(' .. name(now - ${CHANGED_WITHIN_MS}))
local found = redis.call('ZRANGEBYSCORE', changed, ARGV[3], '+inf', 'WITHSCORES', 'LIMIT', 0, ${FIGURES_AT_ONCE})
local since, last = tonumber(ARGV[3]), tonumber(found[#found])
local is_all = #found < ${FIGURES_AT_ONCE} * 2
local answer = {is_all and now or math.max(last, since + 1)}
for i = 1, #found, 2 do
  local sum = tonumber(redis.call('HGET', found[i], 'sum'))
  answer[#answer + 1] = found[i]
  answer[#answer + 1] = sum or calls_elsewhere(found[i])
end
return answer
`;

/** Forgets a gateway that stops. KEYS: gateways. ARGV: instance, epoch. */
export const LEAVE_SCRIPT = /* lua */ `
local known = redis.call('HGET', KEYS[1], ARGV[1])
if known and string.match(known, '^(%S+) ') == ARGV[2] then redis.call('HDEL', KEYS[1], ARGV[1]) end
return 0
`;
