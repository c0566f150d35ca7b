import type { operations } from './schema'

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
  /** An operator says in the query whose data he means; `schoolContext.ts` adds it, and no screen spells it. */
  names?: boolean
  /** A step over rows: where no school is said, each of its items names its own. */
  many?: boolean
  /** The fields of the JSON body. */
  fields: Readonly<Record<string, FieldMeta>>
  /** The fields of a row of the answer's list, or of the record it answers. */
  columns: Readonly<Record<string, FieldMeta>>
  /** What a list over many schools says of those that it leaves out. */
  notices?: Readonly<Record<string, FieldMeta>>
}

/** An operation of the server. The three types exist for the checker only. */
export interface Operation<Query = unknown, Body = unknown, Data = unknown> extends OperationMeta {
  readonly types?: { query: Query; body: Body; data: Data }
}

type DataIn<Called extends Operation> = NonNullable<Called['types']>['data']

/** A row of a list, with or without pages, or the record that an operation answers. */
export type RowOf<Called extends Operation> =
  DataIn<Called> extends { list: (infer Row)[] } ? Row : DataIn<Called> extends (infer Row)[] ? Row : DataIn<Called>

type AnyContent<T> = T extends { content: infer Content } ? Content[keyof Content] : never
type Given<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>

type Parameters<Id extends keyof operations> = operations[Id]['parameters']
type AnyQueryOf<Id extends keyof operations> = unknown extends Given<Parameters<Id>['query']> &
  Given<Parameters<Id>['path']>
  ? undefined
  : Given<Parameters<Id>['query']> & Given<Parameters<Id>['path']>

type RequestOf<Id extends keyof operations> = NonNullable<operations[Id]['requestBody']>
type AnyBodyOf<Id extends keyof operations> = [RequestOf<Id>] extends [never]
  ? undefined
  : RequestOf<Id> extends { content: { 'multipart/form-data': unknown } }
    ? FormData
    : AnyContent<RequestOf<Id>>

type AnswerOf<Id extends keyof operations> = operations[Id]['responses'][200]
type MediaOf<Id extends keyof operations> = AnswerOf<Id> extends { content: infer Content } ? keyof Content : never
type IsFile<Id extends keyof operations> = [Exclude<MediaOf<Id>, `application/json${string}`>] extends [never]
  ? false
  : true
/** Of the two answers of each operation, the envelope; the other is a refusal. */
type EnvelopeOf<Id extends keyof operations> = Extract<AnyContent<AnswerOf<Id>>, { code: 200 }>
type DataOf<Id extends keyof operations> =
  IsFile<Id> extends true ? Blob : EnvelopeOf<Id> extends { data: infer Data } ? Data : never

/** A list that is asked for by GET: its filters are given like the body of every other list, and are sent in the query. */
type IsQueriedPage<Id extends keyof operations> =
  DataOf<Id> extends { list: unknown[]; pageCurrent: number }
    ? [AnyBodyOf<Id>] extends [undefined]
      ? true
      : false
    : false
type QueryOf<Id extends keyof operations> = IsQueriedPage<Id> extends true ? undefined : AnyQueryOf<Id>
type BodyOf<Id extends keyof operations> = IsQueriedPage<Id> extends true ? AnyQueryOf<Id> : AnyBodyOf<Id>

export const operation = <Id extends keyof operations>(
  meta: OperationMeta,
): Operation<QueryOf<Id>, BodyOf<Id>, DataOf<Id>> => meta
