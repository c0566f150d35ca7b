/** What the document says of a field: enough for its label, its control and its check. */
export interface FieldMeta {
  label: string
  kind: 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'datetime' | 'enum' | 'list' | 'object'
  required?: boolean
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: string
  /** Values of an enumeration with their Chinese words. */
  options?: readonly (readonly [value: string, label: string])[]
  help?: string
  /** Goes to the server and never comes back. */
  secret?: boolean
  /** Of an object that has other fields in each of its kinds: the fields by the name of the kind's schema. */
  variants?: Readonly<Record<string, Readonly<Record<string, FieldMeta>>>>
}

export interface OperationMeta {
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the server's `/admin/apis`. */
  path: string
  /** 中文名称 */
  title: string
  /** A permission code, `signed-in` or `public`. */
  permission: string
  area: 'platform' | 'school' | 'both' | 'public'
  writes: boolean
  /** An operator says in the query whose data they mean; `schoolContext.ts` adds it, and no screen spells it. */
  names?: boolean
  /** A step over rows: where no school is said, each of its items names its own. */
  many?: boolean
  /** The fields of the JSON body. */
  fields: Readonly<Record<string, FieldMeta>>
  /** The fields of a row of the answer's list, or of the record it answers. */
  columns: Readonly<Record<string, FieldMeta>>
  /** Of an export: the headings of its file, and the code that shows whole numbers. */
  sheet?: { columns: readonly string[]; whole?: string }
  /** What a list over many schools says of those that it leaves out. */
  notices?: Readonly<Record<string, FieldMeta>>
}

/** An operation of the server. The three types exist for the checker only. */
export interface Operation<Query = unknown, Body = unknown, Data = unknown> extends OperationMeta {
  readonly types?: { query: Query; body: Body; data: Data }
}

type TypesOf<Called extends Operation> = NonNullable<Called['types']>

/** What an operation answers. */
export type DataOf<Called extends Operation> = TypesOf<Called>['data']

/** The JSON body of an operation, or the filter of a list. */
export type BodyOf<Called extends Operation> = TypesOf<Called>['body']

/** A row of a list, with or without pages, or the record that an operation answers. */
export type RowOf<Called extends Operation> =
  DataOf<Called> extends { list: (infer Row)[] } ? Row : DataOf<Called> extends (infer Row)[] ? Row : DataOf<Called>

// What a room's file of types says of one of its operations.
type Content<T> = T extends { content: infer Medias } ? Medias[keyof Medias] : undefined
type Answered<Told> = Told extends { responses: { 200: infer Answer } } ? Content<Answer> : never
/** An envelope may come without its part. */
type Data<Told> = Answered<Told> extends { code: 200; data?: infer Part } ? Part : Answered<Told>
type Asked<Told> = Told extends { requestBody?: infer Request } ? Content<NonNullable<Request>> : undefined
type InAddress<Told> = Told extends { parameters: { query?: infer Query; path?: infer Path } }
  ? NonNullable<Query> & NonNullable<Path>
  : undefined

/** A list that is asked for by GET: its filters are given like the body of every other list, and are sent in the query. */
type IsQueriedPage<Told> =
  Data<Told> extends { list: unknown[]; pageCurrent: number }
    ? [Asked<Told>] extends [undefined]
      ? true
      : false
    : false
type Query<Told> = IsQueriedPage<Told> extends true ? undefined : InAddress<Told>
type Body<Told> = IsQueriedPage<Told> extends true ? InAddress<Told> : Asked<Told>

export const operation = <Told>(meta: OperationMeta): Operation<Query<Told>, Body<Told>, Data<Told>> => meta
