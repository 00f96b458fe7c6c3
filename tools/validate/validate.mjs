#!/usr/bin/env node
// Says whether AsyncAPI documents are what the official tools accept.
//
// Every document goes through three judges:
//
//   parser    @asyncapi/parser, with its rules of style
//   schema    the official JSON schema of the document's version
//   bindings  the official AMQP binding schemas. AsyncAPI 2.6.0 itself leaves
//             bindings open, so what these find is a warning.
//
// The 2.6.0 documents of this project have a fixed shape, and for that shape
// some warnings are certain (no contact, no licence, an exchange beside a
// queue, ...). They are counted; -v prints them.
//
// The parser compiles its schemas for each document anew, which takes about half a
// second. So several threads judge, and of documents that have one value, such as the
// JSON and the YAML of one contract, the first is judged alone. They are read for that
// as the parser reads them.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { Parser } from '@asyncapi/parser';
import parsers from '@stoplight/spectral-parsers';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import yaml from 'js-yaml';

const usage = `usage: node validate.mjs [-v] PATH...

A PATH is a document in JSON or YAML, a txtar archive (.txtar, .txt) or a folder,
which is searched for them. Of archives and folders, files named asyncapi.json,
want.json, extended.json and asyncapi3.json are taken, and those in YAML.

  -v, --verbose   print expected warnings too, rather than their number
  -h, --help      print this

exit status: 0 no errors, 1 errors (of extended documents also warnings of the parser), 2 wrong usage or nothing to read`;

// documentNames are the names under which documents are looked for in folders
// and archives.
const documentNames = new Set([
  'want.json',
  ...['asyncapi', 'extended', 'asyncapi3'].flatMap((name) => [`${name}.json`, `${name}.yaml`]),
]);

// latestVersion is the remark that there is a newer version of AsyncAPI.
const latestVersion = 'asyncapi-latest-version';

// expectedCodes are the parser's remarks that the fixed shape can't avoid.
const expectedCodes = new Set([
  'asyncapi-defaultContentType',
  'asyncapi-id',
  'asyncapi-info-contact',
  'asyncapi-info-description',
  'asyncapi-info-license',
  latestVersion,
  'asyncapi2-message-messageId',
  'asyncapi2-tags',
]);

const severities = ['error', 'warning', 'info', 'hint'];
const require = createRequire(import.meta.url);
const ajvOptions = { allErrors: true, strict: false };

class UsageError extends Error {}

// readSpec reads a schema of @asyncapi/specs, undefined where there is none.
// It is read rather than imported, because the parser changes the object that
// imports share.
function readSpec(path) {
  let file;
  try {
    file = require.resolve(`@asyncapi/specs/${path}`);
  } catch {
    return undefined;
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

// memo keeps the results of fn, whose compiled schemas are costly.
function memo(fn) {
  const results = new Map();
  return (key) => {
    if (!results.has(key)) results.set(key, fn(key));
    return results.get(key);
  };
}

const documentSchema = memo((version) => {
  const schema = readSpec(`schemas/${version}.json`);
  if (!schema) return undefined;
  delete schema.definitions['http://json-schema.org/draft-07/schema']; // ajv has its own
  const ajv = new Ajv(ajvOptions);
  addFormats(ajv);
  return ajv.compile(schema);
});

const bindingSchema = memo((name) => {
  const schema = readSpec(`bindings/amqp/${name}.json`);
  if (!schema) return undefined;
  schema.patternProperties = { '^x-': {} }; // the original refers to a file elsewhere
  return new Ajv(ajvOptions).compile(schema);
});

function pointer(path) {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

// isExpected says whether a document can't avoid a remark. An extended document, which
// has a default content type, can avoid all but one.
function isExpected(document, code) {
  return document?.defaultContentType === undefined ? expectedCodes.has(code) : code === latestVersion;
}

async function judgeByParser(parser, { name, text }, document) {
  const { diagnostics } = await parser.parse(text, { source: name });
  return diagnostics.map((found) => ({
    judge: 'parser',
    severity: severities[found.severity],
    code: String(found.code),
    at: pointer(found.path),
    message: found.message,
    expected: found.severity > 0 && isExpected(document, String(found.code)),
  }));
}

function judgeBySchema(document) {
  const version = document?.asyncapi;
  const validate = typeof version === 'string' ? documentSchema(version) : undefined;
  if (!validate) {
    return [{ judge: 'schema', severity: 'error', code: 'version', at: '/asyncapi', message: `there is no official schema of version ${JSON.stringify(version)}` }];
  }
  validate(document);
  return (validate.errors ?? []).map((fault) => ({
    judge: 'schema',
    severity: 'error',
    code: fault.keyword,
    at: fault.instancePath,
    message: `${fault.message} ${JSON.stringify(fault.params)}`,
  }));
}

// amqpBindings yields the AMQP bindings of a 2.x document: the kind that names
// their schema, their place, and the binding.
function* amqpBindings(document) {
  for (const [key, channel] of Object.entries(document.channels ?? {})) {
    yield ['channel', ['channels', key], channel];
    for (const direction of ['subscribe', 'publish']) {
      const operation = channel?.[direction];
      yield ['operation', ['channels', key, direction], operation];
      yield ['message', ['channels', key, direction, 'message'], operation?.message];
    }
  }
}

// queueWithExchange is the shape that the specification of this project asks
// for and the binding schema refuses: a queue binding that names its exchange.
function queueWithExchange(kind, amqp) {
  return kind === 'channel' && amqp.is === 'queue' && amqp.queue !== undefined && amqp.exchange !== undefined;
}

function judgeBindings(document) {
  const findings = [];
  for (const [kind, path, owner] of amqpBindings(document)) {
    const amqp = owner?.bindings?.amqp;
    if (!amqp) continue;
    const at = pointer([...path, 'bindings', 'amqp']);
    const version = amqp.bindingVersion ?? '0.3.0';
    const validate = bindingSchema(`${version}/${kind}`);
    if (!validate) {
      findings.push({ judge: 'bindings', severity: 'warning', code: 'version', at, message: `there is no AMQP binding schema ${version}` });
      continue;
    }
    validate(amqp);
    for (const fault of validate.errors ?? []) {
      findings.push({
        judge: 'bindings',
        severity: 'warning',
        code: fault.keyword,
        at: at + fault.instancePath,
        message: `${fault.message} ${JSON.stringify(fault.params)}`,
        expected: queueWithExchange(kind, amqp) && fault.instancePath.split('/').length <= 2,
      });
    }
  }
  return findings;
}

async function judge(parser, source) {
  let document;
  let unreadable;
  try {
    document = isYAML(source.name) ? yaml.load(source.text) : JSON.parse(source.text);
  } catch (fault) {
    unreadable = { judge: 'schema', severity: 'error', code: 'syntax', at: '', message: fault.message };
  }
  const findings = await judgeByParser(parser, source, document);
  if (unreadable) return [...findings, unreadable];
  findings.push(...judgeBySchema(document));
  if (String(document?.asyncapi).startsWith('2.')) findings.push(...judgeBindings(document));
  return findings;
}

function isYAML(name) {
  return /\.ya?ml$/.test(name);
}

// membersOf splits a txtar archive: "-- name --" on a line of its own begins
// the member of that name.
function* membersOf(archive) {
  const parts = archive.split(/^-- (.+) --\r?$\n?/m);
  for (let i = 1; i < parts.length; i += 2) yield [parts[i].trim(), parts[i + 1]];
}

// sources yields the documents below path as {name, text}.
function* sources(path) {
  if (statSync(path).isDirectory()) {
    for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      if (entry.isDirectory() || documentNames.has(entry.name) || isArchive(entry.name)) yield* sources(join(path, entry.name));
    }
    return;
  }
  const text = readFileSync(path, 'utf8');
  if (!isArchive(path)) {
    yield { name: path, text };
    return;
  }
  for (const [member, content] of membersOf(text)) {
    if (documentNames.has(basename(member))) yield { name: `${path}:${member}`, text: content };
  }
}

function isArchive(name) {
  return name.endsWith('.txtar') || name.endsWith('.txt');
}

// reported returns the lines that say what was found of a document.
function reported(name, findings, verbose) {
  const lines = findings
    .filter((found) => !found.expected || verbose)
    .map((found) => `${name}: ${found.severity}: ${found.message}\n    ${found.judge} ${found.code} at ${found.at || '/'}`);
  const expected = findings.filter((found) => found.expected).length;
  const counts = severities
    .map((severity) => [severity, findings.filter((found) => found.severity === severity && !found.expected).length])
    .filter(([severity, n]) => n > 0 || severity === 'error')
    .map(([severity, n]) => `${n} ${severity}${n === 1 ? '' : 's'}`);
  return [...lines, `${name}: ${counts.join(', ')} (${expected} expected remarks)`];
}

// isFailure says whether a finding fails the run: an error, and of an extended document
// each remark of the parser that it could avoid.
function isFailure(source, found) {
  return found.severity === 'error' || (/defaultContentType/.test(source.text) && found.judge === 'parser' && found.severity === 'warning' && !found.expected);
}

async function main() {
  const { values, positionals } = readArguments();
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const documents = positionals.flatMap((path) => [...sources(path)]);
  if (documents.length === 0) throw new UsageError('no documents: name a JSON file, an archive or a folder that has one');
  const judged = firstOfEach(documents);
  let failed = 0;
  for (const { lines, isFailed } of await judgeAll(judged, values.verbose)) {
    console.log(lines.join('\n'));
    if (isFailed) failed++;
  }
  const same = documents.length - judged.length;
  console.log(`${documents.length} documents, ${same} of them with the value of another one, ${failed} with errors`);
  return failed === 0 ? 0 : 1;
}

// firstOfEach returns the documents without those whose value one before has.
function firstOfEach(documents) {
  const seen = new Set();
  return documents.filter(({ name, text }) => {
    const { data, diagnostics } = parsers.Yaml.parse(text);
    if (diagnostics.length > 0) return true;
    const value = JSON.stringify(data);
    return !seen.has(value) && seen.add(value);
  });
}

// judgeAll returns what the threads say of each document, in order.
async function judgeAll(documents, verbose) {
  const threads = Math.min(availableParallelism(), documents.length);
  const results = Array(documents.length);
  await Promise.all(
    Array.from({ length: threads }, (_, i) => {
      const share = documents.map((source, index) => ({ source, index })).filter(({ index }) => index % threads === i);
      const thread = new Worker(fileURLToPath(import.meta.url), { workerData: { share, verbose } });
      thread.on('message', ({ index, ...result }) => (results[index] = result));
      return new Promise((resolve, reject) => thread.on('error', reject).on('exit', resolve));
    }),
  );
  if (results.includes(undefined)) throw new Error('a thread ended before it had judged its documents');
  return results;
}

// judgeShare is what a thread does.
async function judgeShare({ share, verbose }) {
  const parser = new Parser();
  for (const { source, index } of share) {
    const findings = await judge(parser, source);
    const isFailed = findings.some((found) => isFailure(source, found));
    parentPort.postMessage({ index, lines: reported(source.name, findings, verbose), isFailed });
  }
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { verbose: { type: 'boolean', short: 'v' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (fault) {
    throw new UsageError(`${fault.message}\n\n${usage}`);
  }
}

if (isMainThread) {
  try {
    process.exitCode = await main();
  } catch (fault) {
    if (!(fault instanceof UsageError) && fault.code === undefined) throw fault;
    console.error(`validate: ${fault.message}`);
    process.exitCode = 2;
  }
} else {
  await judgeShare(workerData);
}
