import { describe, expect, it } from '@jest/globals';
import { commandMistake } from '../../../../src/infrastructure/tools/template/command-mistake.js';

const parameters = { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] };
const mistakeIn = (command: string) => commandMistake(command, { parameters });

describe('commandMistake', () => {
  it('says what is unsafe, and where in the command as it is written', () => {
    expect(mistakeIn('echo {{inputs.name}} {{"{{"}} && sh -c {{args.x}}')).toEqual({
      code: 'WORKFLOW.TOOL.UNSAFE_TEMPLATE',
      message: expect.stringMatching(/^\{\{args\.x\}\} cannot be filled in safely: .* "sh" runs/),
      offset: 'echo {{inputs.name}} {{"{{"}} && sh -c '.length,
    });
    expect(mistakeIn(' ')).toMatchObject({ message: expect.stringContaining('the command is empty') });
    expect(mistakeIn(' ')).not.toHaveProperty('offset');
  });

  it.each(['grep {{args.x}} notes.md', 'echo {{inputs.name}} {{env.HOME}}'])(
    'finds nothing in %s',
    (command) => {
      expect(mistakeIn(command)).toBeUndefined();
    },
  );

  it.each(['grep {{args.y}}', 'grep {{args.', 'grep {{states.a.output}}'])(
    'leaves to others what they say better: %s',
    (command) => {
      expect(mistakeIn(command)).toBeUndefined();
    },
  );
});
