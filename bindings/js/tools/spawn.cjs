// Starts the worker of the engine: `lib/spawn.js` for CommonJS, where a module knows its place by its file name.

'use strict';

const { join } = require('node:path');
const { Worker } = require('node:worker_threads');

/** A thread of Node; it does not keep the process alive while nobody waits for it. */
exports.spawn = async () => {
  const thread = new Worker(join(__dirname, 'worker-node.js'));
  thread.unref();
  return {
    post: (message) => thread.postMessage(message),
    listen(hear, fail) {
      thread.on('message', hear);
      thread.on('error', (error) => fail(error.message));
    },
    end: () => thread.terminate(),
    hold: (held) => (held ? thread.ref() : thread.unref()),
  };
};
