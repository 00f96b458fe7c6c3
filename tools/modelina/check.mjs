#!/usr/bin/env node
// Says whether @asyncapi/modelina makes usable types of AsyncAPI documents: in Go,
// TypeScript, Python and Java, one of each component, under the component's own
// name. Modelina calls what it finds no name for AnonymousSchema_1 and so on.
import { readFileSync } from 'node:fs';
import { GoGenerator, JavaGenerator, PythonGenerator, TypeScriptGenerator } from '@asyncapi/modelina';

const usage = `usage: node check.mjs DOCUMENT...

exit status: 0 all types are usable, 1 some aren't, 2 wrong usage`;

const generators = {
  Go: new GoGenerator(),
  TypeScript: new TypeScriptGenerator(),
  Python: new PythonGenerator(),
  Java: new JavaGenerator(),
};

// plain is a name without what languages change in it.
function plain(name) {
  return name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
}

// reachable yields the keys of the schemas among the components that payloads lead to.
// In AsyncAPI 3 the messages between are references, too.
function reachable(document) {
  const seen = new Set();
  const visit = (value) => {
    if (value === null || typeof value !== 'object') return;
    if (typeof value.$ref === 'string' && !seen.has(value.$ref)) {
      seen.add(value.$ref);
      visit(target(document, value.$ref));
    }
    Object.values(value).forEach(visit);
  };
  visit(document.channels);
  return [...seen].filter((ref) => ref.startsWith(schemas)).map((ref) => ref.slice(schemas.length));
}

const schemas = '#/components/schemas/';

// target returns what a reference within the document leads to.
function target(document, ref) {
  const steps = decodeURIComponent(ref.slice('#/'.length)).split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce((value, step) => value?.[step], document);
}

// isStructure reports whether a component is a type of its own in every language.
// A union is one in Go and Java; the others write A | B where it is used.
function isStructure(schema) {
  return schema.type === 'object' || (schema.enum !== undefined && schema.oneOf === undefined);
}

async function check(path) {
  const document = JSON.parse(readFileSync(path, 'utf8'));
  const faults = [];
  for (const [language, generator] of Object.entries(generators)) {
    const models = await generator.generate(document);
    const names = new Set(models.map((model) => plain(model.modelName)));
    for (const model of models) {
      if (/Anonymous_?Schema/i.test(model.modelName + model.result)) faults.push(`${language}: ${model.modelName} has a part without a name`);
    }
    const structures = reachable(document).filter((key) => isStructure(document.components.schemas[key]));
    for (const key of structures) {
      // A word that is reserved somewhere gets a prefix: Status is ReservedStatus.
      if (!names.has(plain(key)) && !names.has('reserved' + plain(key))) faults.push(`${language}: there is no type ${key}`);
    }
    console.log(`${path}: ${language}: ${models.length} types`);
  }
  return faults.map((fault) => `${path}: ${fault}`);
}

const documents = process.argv.slice(2);
if (documents.length === 0) {
  console.error(usage);
  process.exit(2);
}
const faults = (await Promise.all(documents.map(check))).flat();
for (const fault of faults) console.error(fault);
process.exit(faults.length === 0 ? 0 : 1);
