import { type CallerToken, newId, omitUndefined } from '@mg/contract';
import { writeRequestLog } from '@mg/persistence/gateway';
import type { ProjectRole } from '@mg/persistence/console';
import { ADMIN, type CallOptions, type OpenConsole, type TestBed } from './open-test-console.js';
import { ANSWERED_CALL } from './answered-call.js';

type Body = Record<string, unknown>;

/** Somebody who is signed in. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly session: string;
}

export interface MadeProject {
  readonly id: string;
  readonly wallet_id: string;
}

export interface MadeKey {
  readonly id: string;
  readonly key: string;
  readonly user_id: string;
  readonly wallet_id: string;
}

/** People and projects, and what they ask the API of them. */
export class ProjectPeople {
  private constructor(
    private readonly bed: TestBed,
    private readonly console: OpenConsole,
    readonly admin: Person,
  ) {}

  static async over(bed: TestBed, console: OpenConsole): Promise<ProjectPeople> {
    const session = await console.login(ADMIN.email, ADMIN.password);
    const { body } = await console.call<{ id: string }>('GET', '/api/v1/me', { session });
    return new ProjectPeople(bed, console, { id: body.id, email: ADMIN.email, session });
  }

  async makePerson(role = 'member'): Promise<Person> {
    const [email, password] = [`${newId()}@example.com`, 'a password of a person'];
    const { body } = await this.ask<{ id: string }>(this.admin, 'POST', 'users', { email, password, role });
    return { id: body.id, email, session: await this.console.login(email, password) };
  }

  async makeProject(name: string): Promise<MadeProject> {
    return (await this.ask<MadeProject>(this.admin, 'POST', 'projects', { name })).body;
  }

  /** Somebody new who is in a project. */
  async join(project: MadeProject, role: ProjectRole): Promise<Person> {
    const person = await this.makePerson();
    await this.setRole(this.admin, project, person, role);
    return person;
  }

  setRole(by: Person, project: MadeProject, person: Person, role: ProjectRole) {
    return this.ask(by, 'PUT', `projects/${project.id}/members/${person.id}`, { role });
  }

  remove(by: Person, project: MadeProject, person: Person) {
    return this.ask(by, 'DELETE', `projects/${project.id}/members/${person.id}`);
  }

  makeKey(by: Person, project: MadeProject, body: Body = {}) {
    return this.ask<MadeKey>(by, 'POST', 'tokens', { name: newId(), project_id: project.id, ...body });
  }

  /** Logs a call of a key as the gateway does; answers its id. */
  async logCall(key: MadeKey, caller: Pick<CallerToken, 'userId'>): Promise<string> {
    const requestId = newId();
    await writeRequestLog(this.bed.database, [
      {
        requestId,
        createdAt: new Date(),
        userId: caller.userId,
        tokenId: key.id,
        tokenName: 'a key',
        walletId: key.wallet_id,
        model: 'a-model',
        ...ANSWERED_CALL,
      },
    ]);
    return requestId;
  }

  /** @param path under `/api/v1/`. */
  ask<Answer = Body>(by: Person, method: string, path: string, body?: Body) {
    const options: CallOptions = omitUndefined({ session: by.session, body });
    return this.console.call<Answer>(method, `/api/v1/${path}`, options);
  }
}
