// Starts the worker of the engine. The CommonJS build has a version of its own: `tools/spawn.cjs`.

/** A worker, with the same three functions wherever it runs. */
export async function spawn() {
  if (typeof globalThis.Worker === 'function') return browserWorker(startWorker());
  // Names that bundlers do not follow: what they build is for browsers.
  const [threads, file] = ['node:worker_threads', './worker-node.js'];
  const { Worker: Thread } = await import(/* webpackIgnore: true */ /* @vite-ignore */ threads);
  return nodeWorker(new Thread(new URL(/* webpackIgnore: true */ file, import.meta.url)));
}

function startWorker() {
  try {
    return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  } catch (error) {
    if (error.name !== 'SecurityError') throw error;
    // The package lies on another site than the page: there a worker may only be loaded by one of the page's own.
    const file = './worker.js';
    const source = `import ${JSON.stringify(new URL(/* webpackIgnore: true */ file, import.meta.url))};`;
    const own = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    return new Worker(/* webpackIgnore: true */ own, { type: 'module' });
  }
}

function browserWorker(worker) {
  return {
    post: (message) => worker.postMessage(message),
    listen(hear, fail) {
      worker.onmessage = (event) => hear(event.data);
      worker.onerror = (event) => {
        event.preventDefault?.();
        fail(event.message ?? 'the worker could not be started');
      };
    },
    end: () => worker.terminate(),
  };
}

/** A thread of Node; it does not keep the process alive while nobody waits for it. */
function nodeWorker(thread) {
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
}
