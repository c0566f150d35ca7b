import { Descriptions } from '@arco-design/web-react'
import type { BodyOf } from '@/api/operation'
import { OwnField } from '@/field_attributes/StageForm'
import { atFormField, isFile, ownValue } from '@/field_attributes/stage'
import { fieldsOf } from '@/kit/Field'
import type { FormAction } from '@/kit/formAction'
import { PaperFigure, PapersInput } from '@/kit/Papers'
import { editRegistration } from './api'
import type { View } from './registrationRules'
import '@/kit/papers.css'

type Body = BodyOf<typeof editRegistration>

/** What a form holds of the school's own fields. */
export interface Own {
  extra?: Body['extra']
  files?: Body['files']
}

/** The same of a person as they are known. */
export const ownOf = ({ extra, files }: View): Own => ({ extra, files: files.map(({ kind, key }) => ({ kind, key })) })

/** Has a refusal stand at the field that it names, and sends nothing of fields that are asked for no more. */
export const withOwn = <Data,>(action: FormAction<Data>, person: View | undefined): FormAction<Data> => ({
  ...action,
  send: async (values: Own, request) => {
    try {
      return await action.send({ ...values, extra: values.extra ?? {}, files: values.files ?? [] }, request)
    } catch (error) {
      throw atFormField(error, person?.ownFields ?? [], 'files')
    }
  },
})

const Field = fieldsOf(editRegistration)

/** 本校字段 in a form of the desk: what the school asks for of its own when people report. */
export const OwnFields = ({ person }: { person: View }) => {
  const papers = person.ownFields.filter(isFile)
  return (
    <>
      {person.ownFields
        .filter((field) => !isFile(field))
        .map((field) => (
          <OwnField key={field.fieldKey} field={field} />
        ))}
      {papers.length > 0 && (
        <Field name="files" label="本校材料" required={papers.some(({ required }) => required)}>
          <PapersInput
            kinds={papers.map(
              ({ fieldKey, label, required }) => [fieldKey, required ? `${label}（必填）` : label] as const,
            )}
            several={() => false}
            stored={person.files}
          />
        </Field>
      )}
    </>
  )
}

/** The same as they are read. */
export const OwnValues = ({ person: { ownFields, extra, files } }: { person: View }) => (
  <>
    <Descriptions
      column={2}
      tableLayout="fixed"
      labelStyle={{ width: 112 }}
      data={ownFields
        .filter((field) => !isFile(field))
        .map((field) => ({
          key: field.fieldKey,
          label: field.label,
          value: ownValue(field, extra[field.fieldKey]) ?? <span className="nothing">—</span>,
        }))}
    />
    <ul className="papers" aria-label="本校材料">
      {ownFields.filter(isFile).map(({ fieldKey, label }) => {
        const file = files.find(({ kind }) => kind === fieldKey)
        return (
          <li key={fieldKey}>
            {file ? (
              <PaperFigure label={label} name={file.name} url={file.url} />
            ) : (
              <figure>
                <span className="paper-none">未上传</span>
                <figcaption>{label}</figcaption>
              </figure>
            )}
          </li>
        )
      })}
    </ul>
  </>
)
