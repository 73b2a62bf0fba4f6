/**
 * Credentials of channels, each sealed by itself, so that the console can write one without reading any: it tells by the
 * fingerprint whether a value is stored already. A row here goes before what `channel_secret` says of the same part; one
 * that is marked as removed says that there is none.
 */
export const CHANNEL_CREDENTIALS = /* sql */ `
create table channel_credential (
  channel_id uuid not null references channel (id) on delete cascade,
  part text not null,
  sealed text not null,
  fingerprint text not null,
  hints text[] not null default '{}',
  removed boolean not null default false,
  primary key (channel_id, part)
);
create trigger channel_credential_announced after insert or update or delete on channel_credential
  for each statement execute function announce_catalog_change();

-- Writes parts of a channel's credentials over those that are stored, for a console that may not read what it replaces.
create function channel_credentials_write(p_channel uuid, p_parts jsonb) returns void language sql security definer as $$
  insert into channel_credential as c (channel_id, part, sealed, fingerprint, hints, removed)
  select p_channel, r.part, r.sealed, r.fingerprint, coalesce(r.hints, '{}'), r.removed
    from jsonb_to_recordset(p_parts) as r (part text, sealed text, fingerprint text, hints text[], removed boolean)
  on conflict (channel_id, part) do update set sealed = excluded.sealed, fingerprint = excluded.fingerprint,
    hints = excluded.hints, removed = excluded.removed;
$$;
`;
