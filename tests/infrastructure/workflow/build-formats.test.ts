import { describe, expect, it } from '@jest/globals';
import { parseWorkflow } from '../../../src/infrastructure/workflow/parse-workflow.js';
import { listProblems } from './problems-of.js';

const radio = (rest = '') => `formats:
  radio:
    open: "OVER TO {name}"
    close: OUT
    body: { kind: json }
${rest}`;

describe('formats', () => {
  it('become declarations under their names', () => {
    const text = radio('    declared_only: true\n    wrapper: { open: "((", close: "))" }\n');
    expect(parseWorkflow(text).formats).toEqual([
      {
        id: 'radio',
        open: 'OVER TO {name}',
        close: 'OUT',
        body: { kind: 'json' },
        declaredOnly: true,
        wrapper: { open: '((', close: '))' },
      },
    ]);
    expect(parseWorkflow('tools: []')).not.toHaveProperty('formats');
  });

  it('report every mistake where it is', () => {
    const text = `formats:
  one:
    open: "{name}"
    close: "x"
    body: { kind: tags, parameter: { open: "@set", close: "" } }
  two:
    open: "CALL! {name}"
    body: { kind: yaml }
`;
    expect(listProblems(text)).toEqual([
      '3:11 WORKFLOW.FORMAT.INVALID formats.one.open: every opening mark needs 2 to 48 characters before its first slot',
      '4:12 WORKFLOW.FORMAT.INVALID formats.one.close: its closing mark needs 2 to 48 characters before its first slot',
      "5:36 WORKFLOW.FORMAT.INVALID formats.one.body.parameter: a parameter's opening mark needs {key}",
      '5:36 WORKFLOW.FORMAT.INVALID formats.one.body.parameter: a parameter needs a closing mark',
      '6:3 WORKFLOW.FORMAT.INVALID formats.two: with yaml, a closing mark is needed',
    ]);
  });

  it('must read their own example', () => {
    const example = '    example: { text: "OVER TO now {} OUT", name: now, arguments: { a: 1 } }\n';
    expect(listProblems(radio(example))).toEqual([
      '6:14 WORKFLOW.FORMAT.INVALID formats.radio.example: it does not read its own example: it reads the arguments {}',
    ]);
  });

  it('have names of their own', () => {
    expect(listProblems(radio().replace('radio', 'hermes'))).toEqual([
      '2:3 WORKFLOW.VALIDATION.DUPLICATE formats.hermes: there is a built-in format `hermes` already; choose another name',
    ]);
    expect(listProblems(radio().replace('radio', 'Radio'))).toEqual([
      expect.stringContaining(
        '2:3 WORKFLOW.VALIDATION.SCHEMA formats.Radio: expected a name of lower-case letters',
      ),
    ]);
  });

  it('say once what the schema has against them', () => {
    expect(listProblems(radio('    closes: x\n'))).toEqual([
      '6:5 WORKFLOW.PARSE.UNKNOWN_FIELD unknown key `closes` → did you mean `close`?',
    ]);
    expect(listProblems('formats: { mine: { open: "<<", body: { kind: jsn } } }')).toEqual([
      expect.stringMatching(
        /expected json, tags, code, quoted or yaml; found "jsn" → did you mean `json`\?$/,
      ),
    ]);
    expect(listProblems('formats: { mine: {} }')).toEqual([
      '1:18 WORKFLOW.VALIDATION.SCHEMA formats.mine needs `open`',
      '1:18 WORKFLOW.VALIDATION.SCHEMA formats.mine needs `body`',
    ]);
  });
});
