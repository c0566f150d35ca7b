import { DAY, LINE, NO_DAY, Pair } from '@/kit/FormPaper'
import { formatTime } from '@/kit/format'
import { labelOf } from '@/kit/labels'
import { viewAdmissionInformation } from './api'
import type { Paper, View } from './informationRules'
import './informationReview.css'

/** What the sheets of all groups are made of. */

export const wordOf = (view: View, field: keyof View & string) =>
  labelOf(viewAdmissionInformation, field, view[field] == null ? '' : String(view[field]))

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

/** 简历, of whichever form has one. */
export const resumeOf = ({ information, graduation }: View) => (information ?? graduation)?.resume ?? []

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
