import * as z from 'zod/mini';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { User } from '../../api/console-api.js';
import { FormDialog } from '../../components/form-dialog.js';
import { CheckField, TextField } from '../../components/form-fields.js';
import { newPassword, orNothing } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';
import { BudgetFields, LimitFields } from '../limits/limit-fields.js';
import { budgetsSchema, limitsSchema, toBudgetTexts, toLimitTexts } from '../limits/limits-schema.js';
import { SubjectBudgets } from '../limits/subject-budgets.js';
import { RoleField, USER_ROLES } from './role-field.js';

const schema = z.object({
  role: z.enum(USER_ROLES),
  password: orNothing(newPassword, undefined),
  limits: limitsSchema,
  budgets: budgetsSchema,
  enabled: z.boolean(),
});

export function UserForm({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const { users: messages, actions, done } = useMessages();
  const refresh = useRefresh();
  const form = useApiForm({
    schema,
    texts: {
      role: user.role,
      password: '',
      limits: toLimitTexts(user),
      budgets: toBudgetTexts(user),
      enabled: !user.disabled,
    },
    question: ({ enabled }) =>
      !enabled && !user.disabled
        ? {
            title: messages.disableTitle(user.email),
            text: messages.disableText,
            action: messages.disableAction,
          }
        : undefined,
    send: async ({ enabled, ...rest }) => {
      const body = { ...rest, disabled: !enabled };
      await api.patch('/api/v1/users/{id}', { path: { id: user.id }, body });
      await refresh('/api/v1/users', '/api/v1/budgets');
    },
    done: () => done.saved(user.email),
    onDone: onClose,
  });
  return (
    <FormDialog form={form} title={messages.editTitle(user.email)} action={actions.save} onClose={onClose}>
      <RoleField {...form.field('role')} />
      <TextField
        {...form.field('password')}
        label={messages.newPassword}
        hint={messages.newPasswordHint}
        type="password"
        autoComplete="new-password"
      />
      <LimitFields field={form.field} />
      <BudgetFields field={form.field} />
      <SubjectBudgets id={user.id} />
      <CheckField {...form.field('enabled')} label={messages.enabledField} />
    </FormDialog>
  );
}
