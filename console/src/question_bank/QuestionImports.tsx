import { Checkbox } from '@arco-design/web-react'
import { useState } from 'react'
import { ImportButton } from '@/kit/ImportWizard'
import type { Choice } from '@/kit/OptionSelect'
import { fetchQuestionImportTemplate, importQuestions, importQuestionText } from './api'
import { BankSelect } from './choices'

const SAMPLE = `1. [单选题] 货币最基本的职能是
A. 价值尺度
B. 贮藏手段
【答案】A
【难度】中
【章节】第二章/第一节
【知识点】货币职能;价值尺度
【分值】2

2. [填空题] 货币的两个基本职能是____和____。
【答案】价值尺度;;流通手段|交换媒介

[综合题] 阅读材料……{{media/a.png}}
【小题】[判断题] ……
【答案】对
【大题结束】`

const MISSING = '请先选择题库'

interface QuestionImportsProps {
  /** The bank that the page is about. */
  bank?: Choice
  courseId?: number
}

/** Both ways to bring questions: a sheet, and a text as teachers write it. */
export const QuestionImports = ({ bank, courseId }: QuestionImportsProps) => {
  const [chosen, setChosen] = useState<number>()
  const [skips, setSkips] = useState(false)
  const bankId = chosen ?? bank?.code
  const fields = {
    ...(bankId !== undefined && { bankId: String(bankId) }),
    ...(skips && { skipDuplicates: 'true' }),
  }
  const first = (
    <div className="import-first">
      <BankSelect
        type="questionBank"
        courseId={courseId}
        label="导入到题库"
        placeholder="请选择题库"
        known={bank}
        value={bankId}
        onChange={setChosen}
      />
      <Checkbox checked={skips} onChange={setSkips}>
        跳过重复的试题（不勾选时，重复的试题按错误处理）
      </Checkbox>
    </div>
  )
  const common = { what: '试题', fields, first, missing: bankId === undefined ? MISSING : undefined }
  return (
    <>
      <ImportButton {...common} do={importQuestions} template={fetchQuestionImportTemplate} />
      <ImportButton
        {...common}
        do={importQuestionText}
        label="文本导入"
        files={{
          accept: '.txt,.zip',
          tip: '.txt 文本，或带 media 文件夹的 .zip（单个图片音频20MB以内，整包500MB以内）',
          form: (
            <>
              <p>
                每道题以“[题型]”开头，选项和“【标签】”各占一行，“#”开头的行不导入；图片和音频放在压缩包的 media 文件夹。
              </p>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard too */}
              <section className="import-sample" aria-label="文本格式示例" tabIndex={0}>
                <pre>{SAMPLE}</pre>
              </section>
            </>
          ),
        }}
      />
    </>
  )
}
