import { type EntityManager, type QueryDeepPartialEntity } from 'typeorm';
import { among, holding, type Page, type PageRequest, type RowChoice } from './page.js';
import {
  BY_KEY,
  byNumber,
  byText,
  findSorted,
  type ListOrder,
  NEWEST_FIRST,
  type SortColumns,
} from './sorted-page.js';
import { UserEntity, type UserRow } from '../entities/user.js';

export type NewUser = Pick<UserRow, 'id' | 'email' | 'name' | 'passwordHash' | 'role'>;

export interface UserChange {
  readonly role?: UserRow['role'];
  readonly disabled?: boolean;
  readonly passwordHash?: string;
  readonly emailClaimed?: boolean;
  readonly limits?: UserRow['limits'];
  readonly budgets?: UserRow['budgets'];
  /** Ends every session of the user. */
  readonly endSessions?: boolean;
}

type UserSort = 'created' | 'email' | 'name' | 'role' | 'state';

/** What users can be sorted by; `state`: active ones first. */
export const USER_SORTS: SortColumns<UserSort> = {
  created: BY_KEY,
  email: byText('row.email'),
  name: byText('lower(row.name)'),
  role: byText('row.role'),
  state: byNumber('cast(row.disabled as integer)'),
};

export class UserRepository {
  constructor(private readonly manager: EntityManager) {}

  findById(id: string): Promise<UserRow | null> {
    return this.#users.findOneBy({ id });
  }

  /** A user whose role and state stay as they are until the transaction ends. */
  findShared(id: string): Promise<UserRow | null> {
    return this.#users.findOne({ where: { id }, lock: { mode: 'pessimistic_read' } });
  }

  /** @param email in lower case. */
  findByEmail(email: string): Promise<UserRow | null> {
    return this.#users.findOneBy({ email });
  }

  /** The administrator who has been here longest; rows of the configuration file belong to them. */
  findFirstAdministrator(): Promise<UserRow | null> {
    return this.#users.findOne({ where: { role: 'administrator' }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** Addresses of those who may sign in as administrators, oldest first. */
  async listAdministratorEmails(): Promise<string[]> {
    const rows = await this.#users.find({
      select: { id: true, email: true },
      where: { role: 'administrator', disabled: false },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    return rows.map(({ email }) => email);
  }

  isEmpty(): Promise<boolean> {
    return this.#users.exists().then((exists) => !exists);
  }

  /** Found by e-mail address or name. */
  list(
    page: PageRequest,
    choice: RowChoice = {},
    { sort, order }: ListOrder<UserSort> = NEWEST_FIRST,
  ): Promise<Page<UserRow>> {
    const where = among(choice);
    const { search } = choice;
    return findSorted(this.#users, {
      where:
        search === undefined
          ? where
          : [
              { ...where, email: holding(search) },
              { ...where, name: holding(search) },
            ],
      column: USER_SORTS[sort],
      direction: order,
      page,
      key: 'id',
    });
  }

  /** @throws QueryFailedError (unique violation) when the address is taken. */
  async insert(user: NewUser): Promise<void> {
    await this.#users.insert({
      ...user,
      disabled: false,
      emailClaimed: false,
      tokenVersion: 0,
      limits: {},
      budgets: {},
    });
  }

  async update(id: string, change: UserChange): Promise<void> {
    const { endSessions, ...columns } = change;
    const values: QueryDeepPartialEntity<UserRow> = { ...columns };
    if (endSessions) values.tokenVersion = () => 'token_version + 1';
    if (Object.keys(values).length > 0) await this.#users.update({ id }, values);
    if (endSessions) {
      await this.manager.query(
        'update console_session set ended_at = now() where user_id = $1 and ended_at is null',
        [id],
      );
    }
  }

  /** Removes a user whom nothing points at yet. @throws QueryFailedError when something does. */
  async delete(id: string): Promise<void> {
    await this.#users.delete({ id });
  }

  /** Active administrators, locked until the transaction ends, so that two changes cannot remove the last one together. */
  lockActiveAdministrators(): Promise<UserRow[]> {
    return this.#users.find({
      where: { role: 'administrator', disabled: false },
      lock: { mode: 'pessimistic_write' },
    });
  }

  get #users() {
    return this.manager.getRepository(UserEntity);
  }
}
