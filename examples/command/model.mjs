// A "model" that anybody can run: it reads the conversation on stdin and prints the next message.
const conversation = (await process.stdin.setEncoding('utf8').toArray()).join('');
const title = /# (.+?)\\n/.exec(conversation)?.[1];

if (title === undefined) {
  console.log('I will look.');
  console.log('<tool_call>{"name": "read_file", "arguments": {"path": "NOTES.md"}}</tool_call>');
} else {
  console.log(`${process.argv[2]} says: the title is "${title}".`);
}
