import { Select } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useIdentity } from '@/api/identity'
import { useRequest } from '@/api/schoolContext'
import { known } from '@/basic_data/BasicSelect'
import { MediaSelect } from '@/courses/MediaSelect'
import { fieldsOf } from '@/kit/Field'
import { FilesInput } from '@/kit/FilesInput'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import { MediaOf } from '@/kit/MediaOf'
import { ReadFirst } from '@/kit/ReadFirst'
import type { DrawerProps } from '@/kit/useDrawer'
import { SchoolsSelect } from '@/schools/SchoolsSelect'
import { ArticleInput } from './ArticleInput'
import { saveStudentHelpArticle } from './api'
import { CategorySelect } from './categories'
import type { ArticleDetail, Desk } from './desks'

// The fields are the same at every desk.
const Field = fieldsOf(saveStudentHelpArticle)

const WIDTH = 960
const MOST_FILES = 10
const ACCEPT = '.pdf,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.zip,.mp4'

/** What the form is opened for: an article, a copy of one, or a new one, perhaps of a question. */
export interface ArticleDraft {
  id?: number
  copyOf?: number
  categoryId?: number | null
  question?: { id: number; title: string; content: string }
}

interface ArticleDrawerProps extends DrawerProps<ArticleDraft> {
  desk: Desk
}

/** 新增, 编辑 and 复制 of an article. The list does not tell its text, so it is read before the form stands. */
export const ArticleDrawer = ({ desk, record: draft, visible, ...drawer }: ArticleDrawerProps) => {
  const request = useRequest()
  const from = draft?.id ?? draft?.copyOf
  const query = useQuery({
    queryKey: [desk.view.path, from, 'form'],
    queryFn: ({ signal }) => request(desk.view, { query: { id: from ?? 0 } }, { signal }),
    enabled: visible && from !== undefined,
    gcTime: 0,
  })
  if (from !== undefined && !query.data) {
    const title = draft?.id ? '编辑文章' : '复制文章'
    return <ReadFirst title={title} width={WIDTH} visible={visible} onClose={drawer.onClose} query={query} />
  }
  return (
    <Typed key={query.data?.id} {...drawer} visible={visible} desk={desk} draft={draft ?? {}} record={query.data} />
  )
}

interface KeywordsInputProps {
  value?: string[]
  onChange?: (keywords: string[]) => void
  'aria-label'?: string
}

const KeywordsInput = (props: KeywordsInputProps) => (
  <Select {...props} mode="multiple" allowCreate allowClear placeholder="请输入关键词" options={[]} />
)

interface TypedProps extends DrawerProps<ArticleDetail> {
  desk: Desk
  draft: ArticleDraft
}

const Typed = ({ desk, draft, record: read, ...drawer }: TypedProps) => {
  const outside = useIdentity((state) => state.account?.area) === 'platform'
  const { copyOf, question } = draft
  const title = draft.id ? `编辑文章 ${read?.title ?? ''}` : copyOf ? '复制文章' : '新增文章'
  const files = (read?.attachments ?? []).map(({ id, name }) => ({ file: id, name }))
  const copied = read && {
    categoryId: read.categoryId,
    title: `${read.title}（副本）`,
    keywords: read.keywords,
    content: read.content,
    fileIds: read.fileIds,
    videoAssetId: read.videoAssetId,
    schoolIds: read.schoolIds,
    sort: read.sort,
  }
  return (
    <FormDrawer<ArticleDetail, { id: number }>
      {...drawer}
      record={draft.id ? read : undefined}
      width={WIDTH}
      title={title}
      initial={{
        categoryId: draft.categoryId ?? undefined,
        title: question?.title,
        content: question?.content,
        keywords: [],
        fileIds: [],
        schoolIds: [],
        sort: 0,
        pinned: false,
        ...(copyOf ? copied : undefined),
      }}
      action={(article) =>
        article
          ? formAction(desk.edit, '已保存；已发布的文章需再次发布，读者才能看到新的内容', article)
          : formAction(desk.save, '已新增草稿', { copiedFrom: copyOf, questionId: question?.id })
      }
      reload={(article, call) => call(desk.view, { query: { id: article.id } })}
    >
      <MediaOf files={read?.pictures}>
        <Field name="title" />
        <Field name="categoryId">
          <CategorySelect desk={desk} />
        </Field>
        <div className="form-whole">
          <Field name="content">
            <ArticleInput />
          </Field>
        </div>
        <Field name="keywords" help="输入后按回车，最多10个，每个不超过20个字">
          <KeywordsInput />
        </Field>
        {outside && (
          <Field name="schoolIds" help="不选为全部院校">
            <SchoolsSelect />
          </Field>
        )}
        <Field name="fileIds" label="附件" help="最多10个，每个不超过50MB">
          <FilesInput
            by={({ id }) => id}
            purpose="support"
            accept={ACCEPT}
            most={MOST_FILES}
            known={files}
            aria-label="附件"
          />
        </Field>
        <Field name="videoAssetId">
          <MediaSelect known={known(read?.videoAssetId, read?.videoTitle)} />
        </Field>
        <Field name="pinned" help="每个分类最多置顶5篇" />
        <Field name="sort" help="同一分类中，数字小的在前" />
        <Field name="offlineAt" help="到时自动下线，可以不填" />
      </MediaOf>
    </FormDrawer>
  )
}
