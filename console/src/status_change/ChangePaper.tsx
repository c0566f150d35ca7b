import { Button, Drawer } from '@arco-design/web-react'
import { IconEye } from '@arco-design/web-react/icon'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { viewPlain } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { DialogName } from '@/kit/DialogName'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { PaperHead } from '@/kit/PaperHead'
import { PrintPreview } from '@/kit/PrintPreview'
import type { DrawerProps } from '@/kit/useDrawer'
import { printChange } from './api'
import { differences, opinionWords, statusWord, targetWords } from './changeRules'
import '@/kit/formPaper.css'
import './statusChange.css'

type Paper = RowOf<typeof printChange>

/** Whose paper is printed. */
export interface Wanted {
  id: number
  name: string
}

/** The student's values that are shown in full when whoever prints asks for it. */
const masked = ['idCardNo', 'phone'] as const
type Plain = Partial<Record<(typeof masked)[number], string>>

const DAY = 'YYYY年MM月DD日'
const NO_DAY = '＿＿＿＿年＿＿月＿＿日'

const Part = ({ title }: { title: string }) => (
  <tr>
    <th className="form-part" colSpan={4} scope="colgroup">
      {title}
    </th>
  </tr>
)

const Pair = ({ facts }: { facts: readonly [label: string, value: ReactNode, label: string, value: ReactNode] }) => (
  <tr>
    <th scope="row">{facts[0]}</th>
    <td>{facts[1]}</td>
    <th scope="row">{facts[2]}</th>
    <td>{facts[3]}</td>
  </tr>
)

const Wide = ({ label, children }: { label: string; children: ReactNode }) => (
  <tr>
    <th scope="row">{label}</th>
    <td colSpan={3}>{children}</td>
  </tr>
)

/** What is said, by whom and when, with the room for a seal. */
const Opinion = ({ label, opinion }: { label: string; opinion: Paper['schoolOpinion'] }) => (
  <tr>
    <th scope="row">{label}</th>
    <td className="form-declaration" colSpan={3}>
      <p>{opinionWords(opinion)}</p>
      <p>
        <span>经办人：{opinion?.actorName ?? '＿＿＿＿＿＿＿＿'}（盖章）</span>
        <span>{opinion ? formatTime(opinion.createdAt, DAY) : NO_DAY}</span>
      </p>
    </td>
  </tr>
)

/** What a type tells beside the two placements. */
const beside: Partial<Record<Paper['type'], string>> = {
  suspension: '休学起止',
  dropout: '退学原因',
  transfer_out: '转入院校',
}

const Sheet = ({ paper }: { paper: Paper }) => {
  const crosses = paper.before.siteId !== paper.after.siteId
  return (
    <div className="registration-form change-paper">
      <PaperHead paper={paper} />
      <h2>成人高等学历继续教育学籍异动审批表</h2>
      <p className="form-about">
        <span>单号：{paper.changeNo}</span>
        <span>异动类型：{labelOf(printChange, 'type', paper.type)}</span>
        <span>申请日期：{formatTime(paper.submittedAt ?? paper.createdAt, 'YYYY-MM-DD')}</span>
      </p>
      <table>
        <colgroup>
          <col style={{ width: '16%' }} />
          <col style={{ width: '34%' }} />
          <col style={{ width: '16%' }} />
          <col style={{ width: '34%' }} />
        </colgroup>
        <tbody>
          <Pair facts={['姓名', paper.name, '性别', labelOf(printChange, 'gender', paper.gender)]} />
          <Pair facts={['学号', paper.studentNo ?? '', '考生号', paper.examineeNo ?? '']} />
          <Pair facts={['证件号', paper.idCardNo, '手机', paper.phone ?? '']} />
          <Pair facts={['入学日期', paper.enrolledOn, '预计毕业', paper.expectedGraduationOn]} />
          <Pair facts={['学籍状态', statusWord(paper.studentStatus), '批次', paper.batchName ?? '']} />
          <Part title="异动内容" />
          <tr>
            <th scope="col">项目</th>
            <th scope="col">异动前</th>
            <th scope="col" colSpan={2}>
              异动后
            </th>
          </tr>
          {differences([paper.before, paper.beforeNames], [paper.after, paper.afterNames]).map((line) => (
            <tr key={line.label}>
              <th scope="row">{line.label}</th>
              <td>{line.before ?? ''}</td>
              <td className="change-paper-after" colSpan={2}>
                {line.changed ? <strong>{line.after}</strong> : '不变'}
              </td>
            </tr>
          ))}
          {beside[paper.type] && <Wide label={beside[paper.type] ?? ''}>{targetWords(paper)}</Wide>}
          <Wide label="申请理由">{paper.reason}</Wide>
          <tr>
            <td className="form-declaration" colSpan={4}>
              <p>本人承诺：以上信息真实，已知悉学籍异动的有关规定。</p>
              <p>
                <span>学生签名：＿＿＿＿＿＿＿＿</span>
                <span>{NO_DAY}</span>
              </p>
            </td>
          </tr>
          <Opinion label={crosses ? '原站点意见' : '站点意见'} opinion={paper.siteOpinion} />
          {crosses && <Opinion label="接收站点意见" opinion={paper.targetSiteOpinion} />}
          <Opinion label="学校意见" opinion={paper.schoolOpinion} />
          <Pair facts={['生效日期', paper.effectiveOn ?? '', '备案文号', paper.filingNo ?? '']} />
        </tbody>
      </table>
    </div>
  )
}

const SheetOf = ({ paper }: { paper: Paper }) => {
  const call = useCall()
  const hidden = masked.filter((field) => paper[field]?.includes('*'))
  const opening = useMutation({
    mutationFn: async () => {
      const values = hidden.map(async (field) => {
        const { value } = await call(viewPlain, { body: { entity: 'student', id: paper.studentId, field } })
        return [field, value ?? undefined] as const
      })
      const plain: Plain = Object.fromEntries(await Promise.all(values))
      return plain
    },
  })
  const tools = hidden.length > 0 && !opening.data && (
    <Button icon={<IconEye />} title="将记入日志" loading={opening.isPending} onClick={() => opening.mutate()}>
      显示完整信息
    </Button>
  )
  return (
    <PrintPreview note={`A4 纵向；${formatTime(new Date())}`} tools={tools}>
      <Sheet paper={{ ...paper, ...opening.data }} />
    </PrintPreview>
  )
}

const Papers = ({ id }: { id: number }) => {
  const call = useCall()
  const paper = useQuery({ queryKey: [printChange.path, id], queryFn: () => call(printChange, { query: { id } }) })
  return <Loaded query={paper}>{(shown) => <SheetOf paper={shown} />}</Loaded>
}

/** 学籍异动审批表 of one change on A4 upright. */
export const ChangePaper = ({ visible, record, onClose }: DrawerProps<Wanted>) => {
  const title = `打印审批表 ${record?.name ?? ''}`
  return (
    <Drawer title={title} width={860} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {record && <Papers id={record.id} />}
    </Drawer>
  )
}
