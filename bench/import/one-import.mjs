// One import in a process of its own: argv is what to import; prints the milliseconds it took.
const start = performance.now();
await import(process.argv[2]);
console.log(performance.now() - start);
