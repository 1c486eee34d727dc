import type { ApprovalDecision, ApprovalRequest } from '../../../../src/domain/approval.js';
import type { Json, JsonObject } from '../../../../src/domain/json.js';
import type { ApprovalGate } from '../../../../src/ports/approval-gate.js';
import { FakeTerminal } from '../../../support/fake-terminal.js';
import type { AttackCase } from './attack-case.js';
import type { World } from './world.js';

/** Whoever is asked, and what was seen and asked meanwhile. */
export interface Approver {
  readonly gate: ApprovalGate;
  readonly asked: readonly ApprovalRequest[];
  screen(): string;
  /** Sits at the terminal, where there is one, until the attack is over. */
  attend(over: Promise<unknown>): Promise<void>;
}

/** The one whom a case is about: a person with a keyboard, a program that misbehaves, or somebody who says yes. */
export function approverOf(kase: AttackCase, world: World): Approver {
  const { answer } = kase.policy;
  if (kase.area === 'args' || (kase.must === 'prompt' && kase.area !== 'approval')) return decides(world, no);
  if (kase.area !== 'approval') return decides(world, yes);
  if (answer === '<throw>') {
    return decides(world, () => {
      throw new Error('the gate is broken');
    });
  }
  if (answer === '<hang>') return decides(world, () => new Promise(() => undefined));
  if (answer !== null && typeof answer === 'object') return decides(world, answering(answer as JsonObject));
  return new PersonAtTerminal(kase.policy);
}

/** Somebody who answers as a person at a terminal would, with `y`: the twin of an attack on approval. */
export function willing(): Approver {
  return new PersonAtTerminal({ answer: 'y' });
}

type Decide = (request: ApprovalRequest) => ApprovalDecision | Promise<ApprovalDecision>;

const yes: Decide = ({ planHash }) => ({ kind: 'approved', planHash, scope: 'once', source: 'user' });
const no: Decide = () => ({ kind: 'denied', reason: 'no' });

/** `edit`: yes, but to another command. `decision`: whatever a program calls an answer. */
function answering(answer: JsonObject): Decide {
  const [kind, ...more] = Object.keys(answer);
  if (more.length > 0 || (kind !== 'edit' && kind !== 'decision')) throw new Error('unknown answer');
  const edited = { command: answer.edit as Json };
  if (kind === 'decision') return () => answer.decision as unknown as ApprovalDecision;
  return (request) => ({ ...yes(request), arguments: edited }) as ApprovalDecision;
}

function decides(world: World, decide: Decide): Approver {
  const asked: ApprovalRequest[] = [];
  const review = async (request: ApprovalRequest) => {
    asked.push(request);
    world.whileAsked();
    return decide(request);
  };
  return { gate: { review }, asked, screen: () => '', attend: async () => undefined };
}

class PersonAtTerminal implements Approver {
  readonly asked: ApprovalRequest[] = [];
  readonly gate: ApprovalGate;
  readonly #terminal = new FakeTerminal();
  readonly #answer: string;
  readonly #isViewed = new Set<number>();
  readonly #approvesFirst: number;

  constructor({ answer = 'n', tty = true, typeahead, remembered }: JsonObject) {
    this.#answer = String(answer);
    this.#approvesFirst = Array.isArray(remembered) ? remembered.length : 0;
    this.#terminal.input.isTTY = tty === true;
    const inner = this.#terminal.gate();
    this.gate = {
      review: (request, context) => {
        this.asked.push(request);
        if (typeahead !== undefined) this.#terminal.type(String(typeahead));
        return inner.review(request, context);
      },
    };
  }

  screen(): string {
    return this.#terminal.screen;
  }

  async attend(over: Promise<unknown>): Promise<void> {
    const ended = over.then(
      () => false,
      () => false,
    );
    let read = '';
    for (let question = 1; ; question += 1) {
      if (!(await Promise.race([this.#terminal.asked(question).then(() => true), ended]))) return;
      const shown = this.#terminal.screen.slice(read.length);
      read = this.#terminal.screen;
      this.#respond(shown);
    }
  }

  /** All of it is read before it is answered; what a case calls remembered was answered with "always". */
  #respond(shown: string): void {
    const terminal = this.#terminal;
    if (shown.includes('The rule:')) terminal.type('c');
    else if (!this.#isViewed.has(this.asked.length)) {
      this.#isViewed.add(this.asked.length);
      terminal.type('v');
    } else if (this.asked.length <= this.#approvesFirst) terminal.type(shown.includes('6 w') ? 'w' : 'y');
    else if (this.#answer === '<EOF>') terminal.input.end();
    else terminal.type(this.#answer === '' ? '\r' : this.#answer);
  }
}
