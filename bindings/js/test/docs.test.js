// The examples of the README are run, and what they say in comments behind an expression is what it is.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/```js\n(.*?)```/gs)].map((found) => found[1]);

/** An example as the body of an async function, in which every told value is compared. */
function testable(example) {
  return example
    .replace(/import \{([^}]*)\} from 'convoy-games\/(\w+)';/g, (_, names, module) => {
      return `const {${names.replaceAll(' as ', ': ')}} = await load('${module}');`;
    })
    .replace(/^(?!\s*(?:const|let|while|for)\b)(.+); \/\/ (.+)$/gm, (_, expression, told) => {
      return `same(${expression}, ${JSON.stringify(told)});`;
    });
}

test('the README has examples', () => {
  assert.ok(examples.length >= 9);
});

examples.forEach((example, i) => {
  test(`example ${i + 1} of the README`, async () => {
    let compared = 0;
    const same = (value, told) => {
      assert.equal(JSON.stringify(value), told);
      compared++;
    };
    const load = (module) => import(`../lib/${module}.js`);
    const AsyncFunction = (async () => {}).constructor;
    await new AsyncFunction('load', 'same', testable(example))(load, same);
    assert.ok(compared > 0);
  });
});
