import { Form } from '@arco-design/web-react'
import { tellError } from '@/api/errors'
import type { BodyOf, RowOf } from '@/api/operation'
import { fieldsOf } from '@/kit/Field'
import { FileUpload } from '@/kit/FileUpload'
import { FormDrawer } from '@/kit/FormDrawer'
import { type FormAction, formAction } from '@/kit/formAction'
import { labelOf } from '@/kit/labels'
import type { DrawerProps } from '@/kit/useDrawer'
import { ArticlesEditor } from './ArticlesEditor'
import { editGzhMaterial, saveGzhMaterial, viewGzhMaterial } from './api'
import { type ArticleDraft, refusalOf as articlesRefusal, newArticle, sentOf } from './articles'
import { type FileKind, limits, type MaterialKind, refusalOf, secondsOf, titleOf } from './materialFile'

export type Material = RowOf<typeof viewGzhMaterial>
type Body = BodyOf<typeof saveGzhMaterial>

const Field = fieldsOf(saveGzhMaterial)

interface MaterialFileProps {
  kind: FileKind
  value?: string | null
  onChange?: (key: string | null) => void
  'aria-label'?: string
}

/** The file of a material; it says how the material is called at first, and how long a voice is. */
const MaterialFile = ({ kind, ...upload }: MaterialFileProps) => {
  const { form } = Form.useFormContext()
  const read = async (file: File) => {
    if (!form.getFieldValue('name')) form.setFieldsValue({ name: titleOf(file.name) })
    const seconds = kind === 'voice' ? await secondsOf(file) : undefined
    if (seconds) form.setFieldsValue({ durationSeconds: seconds })
  }
  return (
    <FileUpload
      {...upload}
      type={3}
      accept={limits[kind].accept}
      refuse={(file) => refusalOf(kind, file)}
      onFile={read}
    />
  )
}

interface MaterialFormProps extends DrawerProps<Material> {
  /** Of a new one. */
  kind: MaterialKind
}

const articlesIn = (values: object): readonly ArticleDraft[] =>
  'articles' in values && Array.isArray(values.articles) ? values.articles : []

/** The form's way to the server, with articles as it takes them. */
const withArticles = (action: FormAction<{ id: number }>): FormAction<{ id: number }> => ({
  ...action,
  send: (values, request) => action.send({ ...values, articles: sentOf(articlesIn(values)) }, request),
})

/** 素材: a file, or articles. */
export const MaterialForm = ({ record, kind: fresh, ...drawer }: MaterialFormProps) => {
  const kind = record?.materialType ?? fresh
  const words = labelOf(saveGzhMaterial, 'materialType', kind)
  const initial: Partial<Body> = { materialType: kind }
  const actionOf = (material: object | undefined) =>
    material
      ? formAction(editGzhMaterial, '已保存素材', material)
      : formAction(saveGzhMaterial, '已新增素材', { materialType: kind })
  if (kind === 'news')
    return (
      <FormDrawer<object, { id: number }>
        {...drawer}
        record={record}
        title={record ? `编辑图文 ${record.name}` : '新增图文'}
        width={860}
        initial={{ articles: [newArticle()] }}
        action={(material) => withArticles(actionOf(material))}
        reload={(_, call) => call(viewGzhMaterial, { query: { id: record?.id ?? 0 } })}
        ask={async (values) => {
          const refusal = articlesRefusal(articlesIn(values))
          if (refusal) tellError(refusal)
          return refusal === undefined
        }}
      >
        <div className="form-whole">
          <Field name="name" />
          <Field name="articles" label="图文" help="第一篇显示为大图，最多8篇">
            <ArticlesEditor />
          </Field>
        </div>
      </FormDrawer>
    )
  return (
    <FormDrawer<object, { id: number }>
      {...drawer}
      record={record}
      title={record ? `编辑${words} ${record.name}` : `上传${words}`}
      initial={initial}
      action={actionOf}
      reload={(_, call) => call(viewGzhMaterial, { query: { id: record?.id ?? 0 } })}
    >
      <Field name="fileKey" required={!record} help={limits[kind].words}>
        <MaterialFile kind={kind} />
      </Field>
      <Field name="name" />
      {kind === 'voice' && <Field name="durationSeconds" required={!record} help="1至60秒；能识别的格式自动填写" />}
    </FormDrawer>
  )
}
