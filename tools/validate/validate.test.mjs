// Tests of validate.mjs: what it takes for an error, and where it looks.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('validate.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'validate'));
after(() => rmSync(folder, { recursive: true }));

// document is one of the fixed shape, with a queue of the given name.
function document(queue) {
  return JSON.stringify({
    asyncapi: '2.6.0',
    info: { title: 'Orders', version: '1.0.0' },
    servers: { broker: { url: 'localhost:5672', protocol: 'amqp', description: 'RabbitMQ' } },
    channels: {
      [queue]: {
        subscribe: { operationId: 'OrderCreated', message: { name: 'OrderCreated', payload: { type: 'object' } } },
        bindings: { amqp: { is: 'queue', queue: { name: queue, durable: true, exclusive: false }, exchange: { name: 'shop', type: 'topic', durable: true } } },
      },
    },
  });
}

function file(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function validate(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('the fixed shape has expected remarks only, which -v prints', () => {
  const path = file('good.json', document('orders.created'));
  const quiet = validate(path);
  assert.equal(quiet.status, 0, quiet.stdout);
  assert.match(quiet.stdout, /good\.json: 0 errors \(\d+ expected remarks\)\n/);
  assert.doesNotMatch(quiet.stdout, /warning/);
  assert.match(validate('-v', path).stdout, /warning: AsyncAPI document should have "id" field/);
});

test('an extended document fails for a warning that it could avoid', () => {
  const text = JSON.stringify({ ...JSON.parse(document('orders')), defaultContentType: 'application/json' });
  const { status, stdout } = validate(file('extended.json', text));
  assert.equal(status, 1);
  assert.match(stdout, /warning: AsyncAPI document should have "id" field/);
});

test('YAML is read', () => {
  const text = document('orders created').replace('{', '{ ');
  assert.equal(validate(file('good.yaml', `# ${'A comment.'}\n${document('orders.created')}`)).status, 0);
  assert.match(validate(file('bad.yaml', text)).stdout, /must match format "uri-template"/);
  assert.match(validate(file('broken.yaml', 'a: [')).stdout, /syntax/);
});

test('of documents with one value the first is judged', () => {
  const json = document('orders.created');
  const yaml = `# The same.\n${JSON.stringify(JSON.parse(json), null, 2)}`;
  const { status, stdout } = validate(file('first.json', json), file('second.yaml', yaml), file('other.json', document('or ders')));
  assert.equal(status, 1);
  assert.match(stdout, /first\.json: 0 errors/);
  assert.doesNotMatch(stdout, /second\.yaml/);
  assert.match(stdout, /other\.json: \d errors/);
  assert.match(stdout, /\n3 documents, 1 of them with the value of another one, 1 with errors\n/);
});

test('an error fails', () => {
  const { status, stdout } = validate(file('bad.json', document('orders created')));
  assert.equal(status, 1);
  assert.match(stdout, /error: "channels" property must match format "uri-template"/);
});

test('text that is no JSON fails', () => {
  assert.equal(validate(file('broken.json', '{')).status, 1);
});

test('a document of a version without a schema fails', () => {
  const { status, stdout } = validate(file('version.json', document('orders').replace('2.6.0', '2.9.9')));
  assert.equal(status, 1);
  assert.match(stdout, /there is no official schema of version "2\.9\.9"/);
});

test('documents are taken out of archives, and other members left', () => {
  const archive = `A case.\n-- go.mod --\nmodule x\n-- other.json --\n{\n-- a/want.json --\n${document('orders')}\n-- b/asyncapi.json --\n${document('or ders')}\n`;
  const { status, stdout } = validate(file('case.txtar', archive));
  assert.equal(status, 1);
  assert.match(stdout, /case\.txtar:a\/want\.json: 0 errors/);
  assert.match(stdout, /case\.txtar:b\/asyncapi\.json: \d errors/);
  assert.match(stdout, /\n2 documents, 0 of them with the value of another one, 1 with errors\n/);
});

test('nothing to read is status 2', () => {
  assert.equal(validate().status, 2);
  assert.equal(validate(join(folder, 'absent.json')).status, 2);
  assert.equal(validate('--nonsense').status, 2);
});
