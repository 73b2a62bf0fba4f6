import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../api/api-query.js';
import type { Settings } from '../../api/console-api.js';
import { Breakable } from '../../components/breakable.js';
import { Card } from '../../components/card.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Facts } from '../../components/facts.js';
import { Field, TextInput } from '../../components/field.js';
import { PageHeader } from '../../components/page-header.js';
import { Skeleton } from '../../components/skeleton.js';
import { type Column, Table } from '../../components/table.js';
import { useMessages } from '../../messages/use-messages.js';

/** The environment that the console was started with; of secrets only that they are set. */
export function SettingsView() {
  const { settings: messages } = useMessages();
  const settings = useQuery(apiQuery('/api/v1/settings'));
  return (
    <>
      <PageHeader title={messages.title} text={messages.text} />
      {settings.isPending && <Skeleton lines={8} />}
      {settings.error && <ErrorNotice error={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.data && (
        <div className="flex flex-col gap-4">
          <Card>
            <Facts
              facts={[
                [messages.version, settings.data.version],
                [messages.nodeVersion, settings.data.node_version],
              ]}
            />
          </Card>
          <SettingList settings={settings.data.settings} />
        </div>
      )}
    </>
  );
}

type Setting = Settings['settings'][number];

/** All of them, or those whose name or meaning holds what is written, by what they are about. */
function SettingList({ settings }: Pick<Settings, 'settings'>) {
  const { settings: messages, provider } = useMessages();
  const columns = useSettingColumns();
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = settings.filter((setting) =>
    [setting.name, messages.meaningOf(setting)].some((words) => words.toLowerCase().includes(wanted)),
  );
  const groups = Object.keys(messages.groups) as Setting['group'][];
  return (
    <>
      <div className="max-w-md">
        <Field label={provider.search}>
          <TextInput type="search" value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
        <p role="status" className="text-muted">
          {found.length === 0 && messages.noMatch}
        </p>
      </div>
      {groups.map((group) => {
        const rows = found.filter((setting) => setting.group === group);
        const title = messages.groups[group];
        return (
          rows.length > 0 && (
            <Card key={group} title={title}>
              <Table caption={title} rows={rows} keyOf={(setting) => setting.name} columns={columns} />
            </Card>
          )
        );
      })}
    </>
  );
}

/** Equally wide in every group. */
function useSettingColumns(): readonly Column<Setting>[] {
  const { settings: messages } = useMessages();
  return [
    {
      header: messages.name,
      cell: ({ row: { original: setting } }) => (
        <>
          <code className="inline-block font-mono text-xs wrap-anywhere @4xl:w-60">
            <Breakable text={setting.name} />
          </code>
          <span className="block @sm:hidden">
            <SettingValue setting={setting} />
          </span>
          <span className="text-muted block text-xs @4xl:hidden">
            <Breakable text={messages.meaningOf(setting)} />
          </span>
        </>
      ),
    },
    {
      header: messages.value,
      // There it stands below the name.
      meta: { hideOnPhones: true },
      cell: ({ row: { original: setting } }) => <SettingValue setting={setting} />,
    },
    {
      header: messages.default,
      meta: { hideOnSmallScreens: true },
      cell: ({ row }) => (
        <span className="inline-block @4xl:w-40 @7xl:w-72">{messages.defaultOf(row.original)}</span>
      ),
    },
    {
      header: messages.meaning,
      meta: { hideOnSmallScreens: true, isRest: true },
      cell: ({ row }) => messages.meaningOf(row.original),
    },
  ];
}

/** What it is set to, where that may be shown. */
function SettingValue({ setting: { value, hidden } }: { readonly setting: Setting }) {
  const { settings: messages } = useMessages();
  if (value === null || value === '' || hidden) {
    return (
      <span className="text-muted inline-block max-sm:text-xs @sm:w-48 @7xl:w-80">
        {hidden && value !== null ? messages.set : messages.unset}
      </span>
    );
  }
  return (
    <code className="inline-block font-mono text-xs wrap-anywhere @sm:w-48 @7xl:w-80">
      <Breakable text={value} />
    </code>
  );
}
