// The types of the document by openapi-typescript, a file a module: what a module's operations ask and answer, and the schemas that
// only they reach. Schemas of several modules, and the generics, stand in `shared`.
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const { factory } = ts
const refTo = (name) => ({ $ref: `#/components/schemas/${name}` })
const nameOf = (ref) => ref.slice(ref.lastIndexOf('/') + 1)
/** A schema that becomes a name, `Page<Grade>`: openapi-typescript knows no generics, so it stands as `{ '<Page>': Grade }` until then. */
const named = (name, of = { const: '' }) => ({
  type: 'object',
  properties: { [`<${name}>`]: of },
  required: [`<${name}>`],
})
const nameIn = (property) => property.match(/^<(\w+)>$/)?.[1]
const anything = named('T')

const pageOf = (schema, item, prefix = '') => {
  const { list } = schema.properties
  const generic = { ...schema, properties: { ...schema.properties, list: { ...list, items: item } } }
  return [generic, refTo(nameOf(list.items.$ref).slice(prefix.length))]
}

const ofTheSchool = ['schoolId', 'schoolName']
const beside = (schema, part) => {
  const own = Object.entries(schema.properties).filter(([name]) => ofTheSchool.includes(name))
  return [{ allOf: [anything, { type: 'object', properties: Object.fromEntries(own) }] }, refTo(part)]
}

/** Where a schema named `Page_Grade` holds what it is made of: itself with `T` there, and what `T` was. */
const generics = {
  Envelope: (schema) => {
    const { data } = schema.properties
    return [{ ...schema, properties: { ...schema.properties, data: anything } }, data]
  },
  Page: (schema) => pageOf(schema, anything),
  SchoolPage: (schema) => pageOf(schema, named('OfSchool', anything), 'OfSchool_'),
  OfSchool: beside,
  ItemOfSchool: beside,
}

/** The document's schemas without those that a generic says, the generics, and what each of them stands for. */
const withGenerics = (schemas) => {
  const plain = {}
  const bodies = {}
  const uses = {}
  for (const [name, schema] of Object.entries(schemas)) {
    const [generic, part] = name.match(/^([A-Za-z]+)_(.*)$/)?.slice(1) ?? []
    if (!generics[generic]) {
      plain[name] = schema
      continue
    }
    const { title: _, ...untitled } = schema
    const [body, of] = generics[generic](untitled, part)
    bodies[generic] ??= body
    // What differs in more than its part, as an envelope that may be empty does, keeps its own name.
    if (JSON.stringify(bodies[generic]) === JSON.stringify(body)) uses[name] = named(generic, of)
    else plain[name] = schema
  }
  // A row that is only ever told with its school has no schema of its own.
  for (const name of Object.keys(uses)) {
    const part = name.match(/^(?:Item)?OfSchool_(.*)$/)?.[1]
    if (!part || schemas[part]) continue
    const { properties, ...schema } = schemas[name]
    const own = Object.entries(properties).filter(([field]) => !ofTheSchool.includes(field))
    plain[part] = { ...schema, properties: Object.fromEntries(own) }
  }
  return { plain, bodies, uses }
}

/** Every reference as the name of a type. */
const byName = (value, uses) => {
  if (Array.isArray(value)) return value.map((each) => byName(each, uses))
  if (typeof value !== 'object' || value === null) return value
  if (value.$ref) return byName(uses[nameOf(value.$ref)] ?? named(nameOf(value.$ref)), uses)
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, byName(each, uses)]))
}

const namesIn = (value) => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => [nameIn(key) ?? [], namesIn(each)].flat())
}

/** What the console sees of an operation: no refusal, no session, of a file nothing but the file. */
const seen = (operation) => {
  const { content } = operation.responses['200']
  const isFile = Object.keys(content).some((media) => !media.startsWith('application/json'))
  const medias = Object.entries(content).flatMap(([media, { schema }]) => {
    if (!media.startsWith('application/json')) return [[media, { schema: named('Blob') }]]
    const answer = (schema.oneOf ?? [schema]).find((each) => !each.properties?.['<Refusal>'])
    return isFile || !answer ? [] : [[media, { schema: answer }]]
  })
  const { operationId, parameters, requestBody } = operation
  const asked = Object.entries(requestBody?.content ?? {}).map(([media, body]) => [
    media,
    media.startsWith('multipart/') ? { schema: named('FormData') } : body,
  ])
  return {
    operationId,
    ...(parameters && { parameters }),
    ...(requestBody && { requestBody: { required: requestBody.required, content: Object.fromEntries(asked) } }),
    responses: { 200: { description: '', content: Object.fromEntries(medias) } },
  }
}

/** Writes the names that `named` stands for. */
const withNames = (node) => {
  const visit = (each) => {
    const [member] = ts.isTypeLiteralNode(each) && each.members.length === 1 ? each.members : []
    const name = nameIn(member?.name?.text ?? '')
    if (!name) return ts.visitEachChild(each, visit, undefined)
    const isPlain = member.type.text === '""'
    return factory.createTypeReferenceNode(name, isPlain ? undefined : [ts.visitNode(member.type, visit)])
  }
  return ts.visitNode(node, visit)
}

/** Drops what openapi-typescript says of parameters and headers that an operation does not have. */
const withoutAbsent = (operation) => {
  const visit = (each) => {
    if (!ts.isPropertySignature(each)) return ts.visitEachChild(each, visit, undefined)
    const name = each.name.text
    if (name === 'headers' || each.type?.kind === ts.SyntaxKind.NeverKeyword) return undefined
    if (name === 'content' || name === 'query' || name === 'path') return each
    const visited = ts.visitEachChild(each, visit, undefined)
    return name === 'parameters' && visited.type.members.length === 0 ? undefined : visited
  }
  return ts.visitEachChild(operation, visit, undefined)
}

const exported = [factory.createModifier(ts.SyntaxKind.ExportKeyword)]
const parameters = [factory.createTypeParameterDeclaration(undefined, 'T')]

const typesOf = async (schemas, operations, bodies) => {
  const paths = Object.fromEntries(operations.map((operation) => [`/${operation.operationId}`, { post: operation }]))
  const part = { openapi: '3.0.0', info: { title: '', version: '' }, paths, components: { schemas } }
  const nodes = await openapiTS(part, { defaultNonNullable: false, silent: true })
  const members = (name) => nodes.find((node) => node.name?.text === name)?.members ?? []
  const declared = members('components').find((member) => member.name.text === 'schemas')?.type.members ?? []
  const types = declared.map(({ name, type }) =>
    factory.createTypeAliasDeclaration(exported, name.text, bodies[name.text] && parameters, withNames(type)),
  )
  const told = members('operations').map(withoutAbsent).map(withNames)
  const interfaces = told.length
    ? [factory.createInterfaceDeclaration(exported, 'operations', undefined, undefined, told)]
    : []
  return astToString([...types, ...interfaces], { formatOptions: { removeComments: true } })
}

/** The text of each module's file by the module's name. `modules` has the operations of each as the document tells them. */
export const typesByRoom = async (document, modules) => {
  const { plain, bodies, uses } = withGenerics(document.components.schemas)
  const schemas = byName({ ...bodies, ...plain }, uses)
  const reach = (start) => {
    const met = new Set()
    const todo = namesIn(start)
    while (todo.length > 0) {
      const name = todo.pop()
      if (met.has(name) || !schemas[name]) continue
      met.add(name)
      todo.push(...namesIn(schemas[name]))
    }
    return met
  }
  const operations = new Map(
    [...modules].map(([module, told]) => [module, told.map((each) => seen(byName(each, uses)))]),
  )
  const reached = new Map([...operations].map(([module, own]) => [module, reach(own)]))
  const modulesOf = (name) => [...reached].filter(([, names]) => names.has(name)).map(([module]) => module)
  const homes = new Map()
  for (const name of Object.keys(schemas)) {
    const users = modulesOf(name)
    if (users.length > 0) homes.set(name, bodies[name] || users.length > 1 ? 'shared' : users[0])
  }
  // What a shared schema holds is shared.
  for (const name of reach([...homes].filter(([, home]) => home === 'shared').map(([shared]) => named(shared))))
    homes.set(name, 'shared')
  const files = new Map()
  for (const module of ['shared', ...operations.keys()]) {
    const own = Object.fromEntries(Object.entries(schemas).filter(([name]) => homes.get(name) === module))
    const asked = operations.get(module) ?? []
    const strangers = [...new Set(namesIn([own, asked]))].filter(
      (name) => module !== 'shared' && homes.get(name) === 'shared',
    )
    const imports = strangers.length ? `import type { ${strangers.sort().join(', ')} } from './shared'\n\n` : ''
    files.set(module, imports + (await typesOf(own, asked, bodies)))
  }
  return files
}
