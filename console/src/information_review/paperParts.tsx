import type { ReactNode } from 'react'
import { formatTime } from '@/kit/format'
import { labelOf } from '@/kit/labels'
import { viewAdmissionInformation } from './api'
import { type Paper, spanOf, type View } from './informationRules'
import '@/kit/formPaper.css'
import './informationReview.css'

/** What the sheets of all groups are made of. */

export const DAY = 'YYYY年MM月DD日'
export const NO_DAY = '＿＿＿＿年＿＿月＿＿日'
export const LINE = '＿＿＿＿＿＿＿＿'

export const wordOf = (view: View, field: keyof View & string) =>
  labelOf(viewAdmissionInformation, field, view[field] == null ? '' : String(view[field]))

export const Columns = () => (
  <colgroup>
    <col style={{ width: '14%' }} />
    <col style={{ width: '26%' }} />
    <col style={{ width: '14%' }} />
    <col style={{ width: '26%' }} />
    <col style={{ width: '20%' }} />
  </colgroup>
)

export const Part = ({ title, span = 5 }: { title: string; span?: number }) => (
  <tr>
    <th className="form-part" colSpan={span} scope="colgroup">
      {title}
    </th>
  </tr>
)

type Facts = readonly [label: string, value: ReactNode, label: string, value: ReactNode]

/** Two facts beside each other; the second reaches to the edge. */
export const Pair = ({ facts }: { facts: Facts }) => (
  <tr>
    <th scope="row">{facts[0]}</th>
    <td>{facts[1]}</td>
    <th scope="row">{facts[2]}</th>
    <td colSpan={2}>{facts[3]}</td>
  </tr>
)

export const Wide = ({ label, children }: { label: string; children: ReactNode }) => (
  <tr>
    <th scope="row">{label}</th>
    <td colSpan={4}>{children}</td>
  </tr>
)

/** The student of the first rows, beside whom the photo stands. */
export const Person = ({ view, photo }: { view: View; photo: string | null | undefined }) => (
  <>
    <tr>
      <th scope="row">姓名</th>
      <td>{view.name}</td>
      <th scope="row">性别</th>
      <td>{wordOf(view, 'gender')}</td>
      <td className="form-photo" rowSpan={5}>
        {photo ? <img src={photo} alt={`${view.name}的照片`} /> : <span>照片</span>}
      </td>
    </tr>
    <tr>
      <th scope="row">出生日期</th>
      <td>{view.birthday}</td>
      <th scope="row">民族</th>
      <td>{view.ethnicity}</td>
    </tr>
    <tr>
      <th scope="row">证件号</th>
      <td colSpan={3}>{view.idCardNo}</td>
    </tr>
    <tr>
      <th scope="row">学号</th>
      <td>{view.studentNo}</td>
      <th scope="row">考生号</th>
      <td>{view.examineeNo}</td>
    </tr>
    <tr>
      <th scope="row">站点</th>
      <td>{view.siteName}</td>
      <th scope="row">班级</th>
      <td>{view.className}</td>
    </tr>
  </>
)

export const Place = ({ view }: { view: View }) => (
  <>
    <Pair facts={['年级', view.gradeName, '层次', view.levelName]} />
    <Pair facts={['专业', view.majorName, '学习形式', wordOf(view, 'studyForm')]} />
    <Pair facts={['入学日期', view.enrolledOn, '学制', `${view.schoolingYears}年`]} />
  </>
)

/** 简历 with room for what is written by hand. */
export const ResumeRows = ({ view, least }: { view: View; least: number }) => {
  const lines = (view.information ?? view.graduation)?.resume ?? []
  const empty = Array.from({ length: Math.max(0, least - lines.length) }, (_, at) => at)
  return (
    <>
      <tr>
        <th scope="col">起止年月</th>
        <th scope="col" colSpan={2}>
          学校或单位
        </th>
        <th scope="col">职务</th>
        <th scope="col">证明人</th>
      </tr>
      {lines.map((line) => (
        <tr key={`${line.from}${line.unit}`}>
          <td>{spanOf(line)}</td>
          <td colSpan={2}>{line.unit}</td>
          <td>{line.duty}</td>
          <td>{line.witness}</td>
        </tr>
      ))}
      {empty.map((at) => (
        <tr key={at}>
          <td />
          <td colSpan={2} />
          <td />
          <td />
        </tr>
      ))}
    </>
  )
}

/** Who signed, or where it is signed by hand. */
export const Signed = ({ view }: { view: View }) => (
  <p>
    <span>
      学生签名：
      {view.signatureUrl ? (
        <img className="information-signature" src={view.signatureUrl} alt={`${view.name}的签名`} />
      ) : (
        LINE
      )}
    </span>
    <span>{view.signedAt ? formatTime(view.signedAt, DAY) : NO_DAY}</span>
  </p>
)

/** The seal of the school, on its own side of the sheet. */
export const Seal = ({ paper }: { paper: Paper }) =>
  paper.sealUrl ? <img className="sheet-seal" src={paper.sealUrl} alt="院校印章" /> : null

export const About = ({ view }: { view: View }) => (
  <p className="form-about">
    <span>年级：{view.gradeName}</span>
    <span>学号：{view.studentNo ?? ''}</span>
    <span>站点：{view.siteName}</span>
  </p>
)
