/** What tells an installation from every other that uses the same Redis, and its messages from forged ones. */
export const INSTALLATION = /* sql */ `
-- One row: a secret that all planes of the installation read, and nobody else.
create table installation (
  only_one boolean primary key default true check (only_one),
  redis_secret text not null
);

-- Gives the installation a new secret: 244 random bits. For its owner; all planes are to be restarted after it.
create function renew_installation() returns void language sql as $$
  insert into installation (redis_secret)
    values (encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'hex'))
  on conflict (only_one) do update set redis_secret = excluded.redis_secret;
$$;
select renew_installation();
`;
