import { Input } from '@arco-design/web-react'
import { request } from '@/api/client'
import { fieldsOf } from '@/kit/Field'
import { FormPage } from '@/kit/FormPage'
import { formatNumber } from '@/kit/format'
import { paths } from '@/paths'
import { saveSensitiveWords } from './api'

const Field = fieldsOf(saveSensitiveWords)

/** One page takes no more; files take more. */
const MOST = 500

const linesOf = (text: string) => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  ),
]

interface LinesProps {
  value?: string[]
  onChange?: (words: string[]) => void
  'aria-label'?: string
}

/** One word a line. The empty line that is being typed stays. */
const Lines = ({ value = [], onChange, ...named }: LinesProps) => (
  <Input.TextArea
    {...named}
    placeholder="每行一个词"
    autoSize={{ minRows: 10, maxRows: 18 }}
    value={value.join('\n')}
    onChange={(text) => onChange?.(text.split('\n'))}
  />
)

/** 新增敏感词: words that share category and action. */
export const NewWordsPage = () => (
  <FormPage
    title="新增敏感词"
    help={`每行一个词，最多${MOST}个，共用分类和处理方式；更多的词请用 txt 导入。`}
    list={paths.words}
    initial={{ category: 'other', action: 'reject' }}
    action={() => ({
      operation: saveSensitiveWords,
      done: '已新增敏感词',
      send: (values) => {
        const words = 'words' in values && Array.isArray(values.words) ? linesOf(values.words.join('\n')) : []
        return request(saveSensitiveWords, { body: { ...values, words } })
      },
    })}
  >
    <Field name="words" help={`每个词不超过50个字符，一次最多${formatNumber(MOST)}个`}>
      <Lines />
    </Field>
    <div>
      <Field name="category" />
      <Field name="action" help="拒绝：不能提交；转审核：人工审核后展示；替换：以 * 代替后展示" />
    </div>
  </FormPage>
)
