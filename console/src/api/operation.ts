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
  /** The fields of the JSON body. */
  fields: Readonly<Record<string, FieldMeta>>
  /** The fields of a row of the answer's list, or of the record it answers. */
  columns: Readonly<Record<string, FieldMeta>>
}

/** An operation of the server. The three types exist for the checker only. */
export interface Operation<Query = unknown, Body = unknown, Data = unknown> extends OperationMeta {
  readonly types?: { query: Query; body: Body; data: Data }
}

type AnyContent<T> = T extends { content: infer Content } ? Content[keyof Content] : never
type Given<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>

type Parameters<Id extends keyof operations> = operations[Id]['parameters']
type QueryOf<Id extends keyof operations> = unknown extends Given<Parameters<Id>['query']> &
  Given<Parameters<Id>['path']>
  ? undefined
  : Given<Parameters<Id>['query']> & Given<Parameters<Id>['path']>

type RequestOf<Id extends keyof operations> = NonNullable<operations[Id]['requestBody']>
type BodyOf<Id extends keyof operations> = [RequestOf<Id>] extends [never]
  ? undefined
  : RequestOf<Id> extends { content: { 'multipart/form-data': unknown } }
    ? FormData
    : AnyContent<RequestOf<Id>>

type DataOf<Id extends keyof operations> =
  AnyContent<operations[Id]['responses'][200]> extends { data: infer Data } ? Data : Blob

export const operation = <Id extends keyof operations>(
  meta: OperationMeta,
): Operation<QueryOf<Id>, BodyOf<Id>, DataOf<Id>> => meta
