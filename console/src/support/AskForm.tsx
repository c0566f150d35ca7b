import type { Warned } from '@/api/types/shared'
import { Can } from '@/kit/Can'
import { fieldsOf } from '@/kit/Field'
import { FilesInput } from '@/kit/FilesInput'
import { FormDrawer } from '@/kit/FormDrawer'
import { formAction } from '@/kit/formAction'
import type { DrawerProps } from '@/kit/useDrawer'
import { appendSchoolHelpQuestion, askSchoolHelpQuestion, listSchoolHelpCategories } from './api'
import { CategorySelect } from './categories'
import { schoolDesk } from './desks'

const Ask = fieldsOf(askSchoolHelpQuestion)
const Append = fieldsOf(appendSchoolHelpQuestion)

const MOST_FILES = 4
const ACCEPT = '.pdf,.doc,.docx,.xls,.xlsx,.jpg,.jpeg,.png,.zip'

/** Files that go with a question or a reply. */
export const PapersInput = (
  props: Pick<Parameters<typeof FilesInput<number>>[0], 'value' | 'onChange' | 'aria-label'>,
) => <FilesInput<number> {...props} by={({ id }) => id} purpose="support" accept={ACCEPT} most={MOST_FILES} />

type Asked = Record<string, unknown>

/** 提交咨询: what staff of a school ask the operators. */
export const AskForm = (drawer: DrawerProps<never>) => (
  <FormDrawer<Asked, Warned>
    {...drawer}
    record={undefined}
    title="提交咨询"
    okText="提交"
    initial={{ fileIds: [] }}
    action={() => formAction(askSchoolHelpQuestion, '已提交，平台回复后会通知您')}
  >
    <Ask name="title" />
    <Can do={listSchoolHelpCategories}>
      <Ask name="categoryId" label="分类">
        <CategorySelect desk={schoolDesk} source="platform" />
      </Ask>
    </Can>
    <Ask name="content" />
    <Ask name="fileIds" label="附件" help="最多4个，每个不超过10MB">
      <PapersInput aria-label="附件" />
    </Ask>
  </FormDrawer>
)

/** 追问: what the asker adds. */
export const AppendForm = ({ record: question, ...drawer }: DrawerProps<{ id: number; title: string }>) => (
  <FormDrawer<Asked, Warned>
    {...drawer}
    record={undefined}
    title={`追问 ${question?.title ?? ''}`}
    okText="提交"
    initial={{ fileIds: [] }}
    action={() => formAction(appendSchoolHelpQuestion, '已提交', { id: question?.id })}
  >
    <Append name="content" />
    <Append name="fileIds" label="附件" help="最多4个，每个不超过10MB">
      <PapersInput aria-label="附件" />
    </Append>
  </FormDrawer>
)
