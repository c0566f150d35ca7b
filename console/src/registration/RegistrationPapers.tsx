import { Drawer } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { viewAdmission } from '@/admission/api'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { DialogName } from '@/kit/DialogName'
import { Columns, Pair, Part } from '@/kit/FormPaper'
import { formatNumber, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { PaperHead } from '@/kit/PaperHead'
import { PrintPreview } from '@/kit/PrintPreview'
import { QrCode } from '@/kit/QrCode'
import { TabList } from '@/kit/TabList'
import type { DrawerProps } from '@/kit/useDrawer'
import { useWhole } from '@/kit/useWhole'
import { printRegistration, viewRegistration } from './api'
import type { View } from './registrationRules'
import { ENTITY, materials } from './words'

type Paper = RowOf<typeof printRegistration>
type PaperKind = Paper['doc']

/** Whose papers are printed. */
export interface Wanted {
  id: number
  name: string
}

const paperNames: Record<PaperKind, string> = { roll: '入学登记表', notice_receipt: '报到单' }

/** The number of the person, to be scanned at the counter. */
const CODE_PX = 88
/** What is shown in full when whoever prints asks for it; the address stands on 入学登记表 alone. */
const masked = ({ doc, registration, admission }: Paper) => ({
  idCardNo: registration.idCardNo,
  phone: registration.phone,
  address: doc === 'roll' ? admission.address : null,
})

type Plain = Partial<Record<keyof ReturnType<typeof masked>, string>>

const opened = (paper: Paper, { address, ...person }: Plain): Paper => ({
  ...paper,
  registration: { ...paper.registration, ...person },
  admission: { ...paper.admission, address: address ?? paper.admission.address },
})

const wordOf = (person: View, field: keyof View & string) =>
  labelOf(viewRegistration, field, String(person[field] ?? ''))
const wordOfAdmission = ({ admission }: Paper, field: keyof Paper['admission'] & string) =>
  labelOf(viewAdmission, field, String(admission[field] ?? ''))

const Photo = ({ person, rows }: { person: View; rows: number }) => {
  const photo = person.photoUrl ?? person.admissionPhotoUrl
  return (
    <td className="form-photo" rowSpan={rows}>
      {photo ? <img src={photo} alt={`${person.name}的照片`} /> : <span>照片</span>}
    </td>
  )
}

const Head = ({ paper }: { paper: Paper }) => (
  <>
    <PaperHead paper={paper} />
    <h2>成人高等学历继续教育{paperNames[paper.doc]}</h2>
    <p className="form-about">
      <span>批次：{paper.registration.batchName}</span>
      <span>考生号：{paper.registration.examineeNo}</span>
      <span>学号：{paper.registration.studentNo ?? ''}</span>
    </p>
  </>
)

const Place = ({ paper: { registration: person, admission } }: { paper: Paper }) => (
  <>
    <Pair facts={['年级', person.gradeName, '层次', person.levelName]} />
    <Pair facts={['专业', person.majorName, '学习形式', wordOf(person, 'studyForm')]} />
    <Pair facts={['站点', person.siteName, '学制', `${person.schoolingYears}年`]} />
    <Pair facts={['入学日期', admission.enrolledOn, '班级', person.className ?? '']} />
  </>
)

const paid = ({ feePaid, paidAmount, paidAt }: View) =>
  feePaid
    ? [paidAmount == null ? '已缴' : `${formatNumber(paidAmount / 100)}元`, formatTime(paidAt, 'YYYY-MM-DD')].join(' ')
    : '未缴'

const Code = ({ person }: { person: View }) => (
  <td className="form-code">
    <QrCode text={person.examineeNo} label={`考生号${person.examineeNo}的二维码`} size={CODE_PX} />
  </td>
)

/** 入学登记表: kept in the person's file. */
const Roll = ({ paper }: { paper: Paper }) => {
  const { registration: person, admission } = paper
  return (
    <table>
      <Columns />
      <tbody>
        <tr>
          <th scope="row">姓名</th>
          <td>{person.name}</td>
          <th scope="row">性别</th>
          <td>{wordOf(person, 'gender')}</td>
          <Photo person={person} rows={5} />
        </tr>
        <tr>
          <th scope="row">出生日期</th>
          <td>{person.birthday}</td>
          <th scope="row">民族</th>
          <td>{admission.ethnicityName}</td>
        </tr>
        <tr>
          <th scope="row">政治面貌</th>
          <td>{admission.politicalStatusName}</td>
          <th scope="row">证件类型</th>
          <td>{wordOf(person, 'idCardType')}</td>
        </tr>
        <tr>
          <th scope="row">证件号</th>
          <td colSpan={3}>{person.idCardNo}</td>
        </tr>
        <tr>
          <th scope="row">手机</th>
          <td>{person.phone}</td>
          <th scope="row">邮编</th>
          <td>{admission.postalCode}</td>
        </tr>
        <tr>
          <th scope="row">通讯地址</th>
          <td colSpan={4}>{admission.address}</td>
        </tr>
        <Part title="入学前学历" />
        <Pair facts={['学历', wordOfAdmission(paper, 'preEduLevel'), '毕业院校', admission.preEduSchool]} />
        <Pair facts={['毕业日期', admission.preEduGraduatedOn, '参加工作', admission.workStartedOn]} />
        <Part title="录取信息" />
        <Place paper={paper} />
        <Pair facts={['准考证号', admission.ticketNo, '录取日期', admission.admittedOn]} />
        <Pair facts={['总分', formatNumber(admission.totalScore), '科类', wordOfAdmission(paper, 'examCategory')]} />
        <Part title="报到" />
        <Pair facts={['报到时间', formatTime(person.reportedAt, 'YYYY-MM-DD HH:mm'), '缴费', paid(person)]} />
        <tr>
          <td className="form-declaration" colSpan={4}>
            <p>本人承诺：以上信息真实、准确、完整，如有不实，由此产生的后果由本人承担。</p>
            <p>
              <span>学生签名：＿＿＿＿＿＿＿＿</span>
              <span>日期：＿＿＿＿年＿＿月＿＿日</span>
            </p>
          </td>
          <Code person={person} />
        </tr>
      </tbody>
    </table>
  )
}

/** 报到单: what was checked at the desk, for the person to take along. */
const Receipt = ({ paper }: { paper: Paper }) => {
  const { registration: person } = paper
  return (
    <table>
      <Columns />
      <tbody>
        <tr>
          <th scope="row">姓名</th>
          <td>{person.name}</td>
          <th scope="row">性别</th>
          <td>{wordOf(person, 'gender')}</td>
          <Photo person={person} rows={4} />
        </tr>
        <tr>
          <th scope="row">证件号</th>
          <td colSpan={3}>{person.idCardNo}</td>
        </tr>
        <tr>
          <th scope="row">手机</th>
          <td>{person.phone}</td>
          <th scope="row">身份核验</th>
          <td>{person.identityVerified ? wordOf(person, 'verifyMethod') : '未核验'}</td>
        </tr>
        <tr>
          <th scope="row">缴费</th>
          <td>{paid(person)}</td>
          <th scope="row">报到时间</th>
          <td>{formatTime(person.reportedAt, 'YYYY-MM-DD HH:mm')}</td>
        </tr>
        <Part title="录取信息" />
        <Place paper={paper} />
        <Part title="材料" />
        {materials.map(([kind, words]) => (
          <tr key={kind}>
            <th scope="row" colSpan={2}>
              {words}
            </th>
            <td colSpan={3}>{person.materials.some((each) => each === kind) ? '已交' : '未交'}</td>
          </tr>
        ))}
        <tr>
          <td className="form-declaration" colSpan={4}>
            <p>
              <span>经办人：{person.reportedBy ?? '＿＿＿＿＿＿＿＿'}</span>
              <span>学生签名：＿＿＿＿＿＿＿＿</span>
            </p>
          </td>
          <Code person={person} />
        </tr>
      </tbody>
    </table>
  )
}

const Sheet = ({ paper }: { paper: Paper }) => (
  <div className="registration-form">
    <Head paper={paper} />
    {paper.doc === 'roll' ? <Roll paper={paper} /> : <Receipt paper={paper} />}
    {paper.sealUrl && <img className="sheet-seal" src={paper.sealUrl} alt="院校印章" />}
  </div>
)

const SheetOf = ({ paper }: { paper: Paper }) => {
  const { whole, tools } = useWhole(ENTITY, paper.registration.id, masked(paper))
  return (
    <PrintPreview note={`A4 纵向；${formatTime(paper.printedAt)}`} tools={tools}>
      <Sheet paper={opened(paper, whole)} />
    </PrintPreview>
  )
}

const tabs = [
  ['notice_receipt', paperNames.notice_receipt],
  ['roll', paperNames.roll],
] as const

const Papers = ({ id }: { id: number }) => {
  const call = useCall()
  const [doc, setDoc] = useState<PaperKind>('notice_receipt')
  const paper = useQuery({
    queryKey: [printRegistration.path, id, doc],
    queryFn: () => call(printRegistration, { query: { id, doc } }),
  })
  return (
    <>
      <TabList label="报到材料" tabs={tabs} value={doc} onChange={setDoc} />
      <Loaded query={paper}>{(shown) => <SheetOf paper={shown} />}</Loaded>
    </>
  )
}

/** 打印: 报到单 or 入学登记表 of one person on A4 upright. */
export const RegistrationPapers = ({ visible, record, onClose }: DrawerProps<Wanted>) => {
  const title = `打印报到材料 ${record?.name ?? ''}`
  return (
    <Drawer title={title} width={860} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {record && <Papers id={record.id} />}
    </Drawer>
  )
}
