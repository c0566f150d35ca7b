import { Radio } from '@arco-design/web-react'

/** What becomes of the courses that a draft has already (`mode`). */
export type Mode = 'append' | 'replace'

interface FillModeProps {
  value: Mode
  onChange: (mode: Mode) => void
}

/** 导入方式, chosen before the sheet. */
export const FillMode = ({ value, onChange }: FillModeProps) => (
  <>
    <Radio.Group
      name="planFillMode"
      aria-label="导入方式"
      value={value}
      onChange={onChange}
      options={[
        { value: 'append', label: '追加到已有草稿' },
        { value: 'replace', label: '覆盖已有草稿的课程' },
      ]}
    />
    <p className="form-hint">没有草稿的年级专业新增一份草稿；空白的学分、学时和考核取课程的默认值。</p>
  </>
)
