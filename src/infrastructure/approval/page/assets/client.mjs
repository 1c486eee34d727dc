// What runs in the browser. Every text is put in place as text, never as markup: much of it was written by a model.
const token = takeToken();
const rows = new Map();
let state = 'connecting';
let answering;

const at = (id) => document.getElementById(id);
at('name').value = sessionStorage.getItem('name') ?? '';
at('name').addEventListener('change', () => sessionStorage.setItem('name', at('name').value));
if (token === null) tell('Open the link that toolgate printed: it holds the token that lets you answer.');
else void listen();

/** Out of the address bar, so that nobody reads it over a shoulder or finds it in the history. */
function takeToken() {
  const given = location.hash.slice(1);
  if (given !== '') {
    sessionStorage.setItem('token', given);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem('token');
}

function call(path, body) {
  const headers = { authorization: `Bearer ${token}` };
  if (body === undefined) return fetch(path, { headers });
  headers['content-type'] = 'application/json';
  return fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

// Live events. An EventSource cannot send the token, so the stream is read by hand.

async function listen() {
  for (let failures = 0; state !== 'ended'; failures += 1) {
    try {
      const response = await call('/api/events');
      if (response.status === 401) {
        return tell('This link is from another run: open the one that toolgate printed last.');
      }
      if (response.ok) {
        failures = 0;
        await readEvents(response.body.pipeThrough(new TextDecoderStream()).getReader());
      }
    } catch {
      // Said below, and tried again.
    }
    if (state === 'ended') return;
    setState('lost', 'The connection is lost. Trying again…');
    await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** failures, 8000)));
  }
}

async function readEvents(reader) {
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (text + value).split('\n\n');
    text = parts.pop();
    for (const part of parts) onEvent(part);
  }
}

const EVENTS = {
  snapshot: ({ waiting, settled }) => {
    setState('live');
    at('settled').replaceChildren();
    settled.forEach(showSettled);
    const now = new Set(waiting.map(({ id }) => id));
    for (const id of [...rows.keys()]) if (!now.has(id)) removeRow(id);
    at('waiting').append(...waiting.filter(({ id }) => !rows.has(id)).map(makeRow));
    if (waiting.length === 1) rows.get(waiting[0].id).details.open = true;
  },
  asked: (question) => at('waiting').append(makeRow(question)),
  settled: (question) => {
    removeRow(question.id);
    showSettled(question);
  },
  ended: ({ outcome }) => {
    for (const id of [...rows.keys()]) removeRow(id);
    setState('ended', `The run is over: ${outcome}. This page can be closed.`);
  },
};

function onEvent(text) {
  const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(text) ?? [];
  if (name === undefined) return;
  EVENTS[name](JSON.parse(data));
  showCount();
}

function setState(next, notice) {
  state = next;
  document.body.dataset.state = next;
  tell(notice);
  for (const button of document.querySelectorAll('#waiting button')) button.disabled = next !== 'live';
  showCount();
}

function tell(notice) {
  at('notice').hidden = notice === undefined;
  at('notice').textContent = notice ?? '';
}

function showCount() {
  const count = rows.size;
  at('empty').hidden = count > 0 || state !== 'live';
  at('count').textContent = state === 'live' ? `${count} waiting` : '';
  document.title = `${count > 0 ? `(${count}) ` : ''}toolgate approvals`;
}

// The list.

function make(name, { text, ...rest } = {}, ...children) {
  const element = Object.assign(document.createElement(name), rest);
  if (text !== undefined) element.textContent = text;
  element.append(...children);
  return element;
}

function makeRow(question) {
  const { id, tool, what, step, call_id: callId, agent, deadline } = question;
  const until = deadline === undefined ? '' : ` · answer until ${new Date(deadline).toLocaleString()}`;
  const details = make(
    'details',
    {},
    make(
      'summary',
      {},
      make('span', { className: 'tool', text: tool }),
      ' ',
      make('span', { className: 'what', text: what }),
      make('span', { className: 'place', text: `${agent} · step ${step} · ${callId}${until}` }),
    ),
  );
  details.addEventListener('toggle', () => details.open && showDetails(question), { passive: true });
  const item = make('li', { id: `question-${id}` }, details);
  rows.set(id, { item, details });
  return item;
}

/** Whoever works with the keyboard goes on with the next question. */
function removeRow(id) {
  const { item } = rows.get(id) ?? {};
  if (!item) return;
  const next = item.nextElementSibling ?? item.previousElementSibling;
  // A button that is disabled while its answer is on the way has lost the focus already.
  if (answering === id || item.contains(document.activeElement)) next?.querySelector('summary').focus();
  item.remove();
  rows.delete(id);
}

const SAID = {
  once: 'allowed once',
  run: 'allowed for the run',
  always: 'always allowed',
  edit: 'changed and allowed',
  deny: 'denied',
  abort: 'denied, and the run stopped',
  withdrawn: 'withdrawn, or answered elsewhere',
};

function showSettled({ tool, call_id: callId, answer, by }) {
  const who = by === undefined ? '' : ` by ${by}`;
  at('settled').prepend(make('li', { text: `${tool} (${callId}): ${SAID[answer] ?? answer}${who}` }));
  at('done').hidden = false;
}

// One question, fetched when it is opened: what it shows is how things are then.

async function showDetails({ id }) {
  const { details } = rows.get(id);
  details.querySelector('.body')?.remove();
  const body = make('div', { className: 'body', text: 'Loading…' });
  details.append(body);
  try {
    const response = await call(`/api/waiting/${id}`);
    const shown = await response.json();
    if (!response.ok) throw new Error(shown.error);
    body.replaceChildren(
      make('h2', { text: shown.question }),
      make('p', { className: 'why', text: shown.why }),
      ...(shown.asks_always
        ? [make('p', { className: 'why', text: `Asked every time: ${shown.asks_always}` })]
        : []),
      ...shown.sections.flatMap(makeSection),
      ...makeAnswers(shown),
    );
  } catch (error) {
    body.replaceChildren(make('p', { className: 'said', text: `It cannot be shown: ${error.message}` }));
  }
}

function makeSection({ label, lines, mixed_scripts: isMixed }) {
  const heading = make('h3', { text: label });
  if (isMixed) {
    heading.append(' ', make('span', { className: 'flag', text: '⚠ letters of alphabets that look alike' }));
  }
  const shown = lines.map(({ mark, text, change }) =>
    make('span', { className: change ?? '' }, make('b', { text: mark }), text),
  );
  // Reachable by keyboard, since a long one scrolls.
  return [heading, make('pre', { tabIndex: 0 }, ...shown)];
}

function makeAnswers(shown) {
  const said = make('p', { className: 'said', role: 'alert', hidden: true });
  const give = (answer) => answerQuestion(shown, answer, said);
  const has = (answer) => shown.answers.includes(answer);
  const reason = make('input', { maxLength: 2000, placeholder: 'why not? the agent reads it' });
  reason.setAttribute('aria-label', 'Why not? The agent reads it');
  const withReason = (answer) => ({ answer, ...(reason.value === '' ? {} : { reason: reason.value }) });
  const more = [
    has('run') && button('Allow this call for the whole run', () => give({ answer: 'run' })),
    has('always') && button('Always allow exactly this call', () => give({ answer: 'always' })),
    ...(shown.rule ? makeRuleAnswers(shown.rule, give) : []),
    has('abort') && button('Deny, and stop the run', () => give(withReason('abort')), 'no'),
  ];
  return [
    make(
      'div',
      { className: 'answers' },
      button(
        shown.why_kind === 'in-doubt' ? 'Run it again' : 'Allow once',
        () => give({ answer: 'once' }),
        'yes',
      ),
      button('Deny', () => give(withReason('deny')), 'no'),
      reason,
    ),
    make(
      'details',
      { className: 'more' },
      make('summary', { text: 'Other answers' }),
      make('div', { className: 'answers' }, ...more.filter(Boolean)),
      ...(has('edit') ? makeEditor(shown, give, said) : []),
    ),
    said,
  ];
}

/** The rule stands there word for word: nobody agrees to what they have not read. */
function makeRuleAnswers(rule, give) {
  return [
    button(`Allow for the whole run: ${rule}`, () => give({ answer: 'run', rule: true })),
    button(`Always allow: ${rule}`, () => give({ answer: 'always', rule: true })),
  ];
}

function makeEditor(shown, give, said) {
  const text = make('textarea', { value: shown.arguments, spellcheck: false });
  text.setAttribute('aria-label', 'Arguments as JSON');
  const send = () => {
    try {
      give({ answer: 'edit', arguments: JSON.parse(text.value) });
    } catch (error) {
      Object.assign(said, { hidden: false, textContent: `These are no arguments: ${error.message}` });
    }
  };
  return [
    make('h3', { text: 'Or change the arguments' }),
    make('div', { className: 'edit' }, text, button('Use these arguments instead', send)),
  ];
}

function button(text, onClick, className = '') {
  const element = make('button', { type: 'button', text, className, disabled: state !== 'live' });
  element.addEventListener('click', onClick);
  return element;
}

async function answerQuestion({ id, plan_hash: planHash }, answer, said) {
  answering = id;
  const buttons = [...rows.get(id).item.querySelectorAll('button')];
  for (const each of buttons) each.disabled = true;
  const by = at('name').value.trim();
  try {
    const response = await call(`/api/waiting/${id}`, {
      plan_hash: planHash,
      ...answer,
      ...(by ? { by } : {}),
    });
    // That it is settled comes as an event, to everybody alike.
    if (response.ok) return;
    throw new Error((await response.json()).error);
  } catch (error) {
    Object.assign(said, { hidden: false, textContent: `Not answered: ${error.message}` });
    for (const each of buttons) each.disabled = state !== 'live';
  }
}
