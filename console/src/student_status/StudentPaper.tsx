import { Drawer } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { DialogName } from '@/kit/DialogName'
import { Columns, LINE, NO_DAY, Pair, Part, ResumeRows, Wide } from '@/kit/FormPaper'
import { formatNumber, formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { PaperHead } from '@/kit/PaperHead'
import { PrintPreview } from '@/kit/PrintPreview'
import type { DrawerProps } from '@/kit/useDrawer'
import { useWhole } from '@/kit/useWhole'
import { listStudentHistory, printStudent, viewStudent } from './api'
import { ENTITY } from './entity'
import './studentStatus.css'

type Paper = RowOf<typeof printStudent>
type Student = Paper['student']

/** Whose sheet is printed. */
export interface Wanted {
  id: number
  name: string
}

/** What is shown in full when whoever prints asks for it. */
const masked = ({ idCardNo, phone, email, address, hukouPlace, emergencyPhone }: Student) => ({
  idCardNo,
  phone,
  email,
  address,
  hukouPlace,
  emergencyPhone,
})

const wordOf = (student: Student, field: keyof Student & string) =>
  labelOf(viewStudent, field, student[field] == null ? '' : String(student[field]))

/** Who it is, beside the photo. */
const Person = ({ student }: { student: Student }) => {
  const photo = student.enrolPhoto ?? student.admissionPhoto
  return (
    <>
      <tr>
        <th scope="row">姓名</th>
        <td>{student.name}</td>
        <th scope="row">性别</th>
        <td>{wordOf(student, 'gender')}</td>
        <td className="form-photo" rowSpan={5}>
          {photo ? <img src={photo} alt={`${student.name}的照片`} /> : <span>照片</span>}
        </td>
      </tr>
      <tr>
        <th scope="row">曾用名</th>
        <td>{student.formerName}</td>
        <th scope="row">出生日期</th>
        <td>{student.birthday}</td>
      </tr>
      <tr>
        <th scope="row">民族</th>
        <td>{student.ethnicityName}</td>
        <th scope="row">政治面貌</th>
        <td>{student.politicalStatusName}</td>
      </tr>
      <tr>
        <th scope="row">{wordOf(student, 'idCardType')}</th>
        <td colSpan={3}>{student.idCardNo}</td>
      </tr>
      <tr>
        <th scope="row">籍贯</th>
        <td>{student.nativePlace}</td>
        <th scope="row">户口所在地</th>
        <td>{student.hukouPlace}</td>
      </tr>
    </>
  )
}

/** How the status came about, with room for what is written by hand. */
const Changes = ({ history, least }: Pick<Paper, 'history'> & { least: number }) => {
  const status = (value: string | null | undefined) => labelOf(listStudentHistory, 'toStatus', value)
  const empty = Array.from({ length: Math.max(0, least - history.length) }, (_, at) => at)
  return (
    <>
      <tr>
        <th scope="col">生效日期</th>
        <th scope="col">变动</th>
        <th scope="col" colSpan={2}>
          原因
        </th>
        <th scope="col">文号</th>
      </tr>
      {history.map(({ id, effectiveOn, kind, fromStatus, toStatus, reason, documentNo }) => (
        <tr key={id}>
          <td>{effectiveOn}</td>
          <td>
            {labelOf(listStudentHistory, 'kind', kind)}（
            {[fromStatus && fromStatus !== toStatus && status(fromStatus), status(toStatus)].filter(Boolean).join('→')}
            ）
          </td>
          <td colSpan={2}>{reason}</td>
          <td>{documentNo}</td>
        </tr>
      ))}
      {empty.map((at) => (
        <tr key={at}>
          <td />
          <td />
          <td colSpan={2} />
          <td />
        </tr>
      ))}
    </>
  )
}

/** Room for an opinion, a hand and a seal. */
const Opinion = ({ title, span, seal }: { title: string; span: number; seal?: string | null }) => (
  <td className="roll-opinion" colSpan={span}>
    <p>{title}</p>
    <p>
      负责人：{LINE}（盖章）
      <br />
      {NO_DAY}
    </p>
    {seal && <img className="sheet-seal" src={seal} alt="院校印章" />}
  </td>
)

/** 学籍登记表: what is kept of a student for good, on a sheet of A4. */
const Sheet = ({ paper }: { paper: Paper }) => {
  const { student } = paper
  return (
    <div className="registration-form form-dense">
      <PaperHead paper={paper} />
      <h2>成人高等学历继续教育学籍登记表</h2>
      <p className="form-about">
        <span>年级：{student.gradeName}</span>
        <span>学号：{student.studentNo ?? ''}</span>
        <span>班级：{student.className ?? ''}</span>
      </p>
      <table>
        <Columns />
        <tbody>
          <Person student={student} />
          <Pair facts={['手机', student.phone, '电子邮箱', student.email]} />
          <Pair facts={['工作单位', student.workUnit, '职业', student.occupation]} />
          <Pair facts={['通讯地址', student.address, '邮编', student.postalCode]} />
          <Pair facts={['紧急联系人', student.emergencyContact, '联系电话', student.emergencyPhone]} />
          <Part title="入学前学历" />
          <Pair facts={['学历', wordOf(student, 'preEduLevel'), '毕业日期', student.preEduGraduatedOn]} />
          <Pair facts={['毕业院校', student.preEduSchool, '专业', student.preEduMajor]} />
          <Wide label="证书编号">{student.preEduCertificateNo}</Wide>
          <Part title="简历" />
          <ResumeRows lines={paper.resume} least={3} />
          <Part title="录取信息" />
          <Pair facts={['考生号', student.examineeNo, '准考证号', paper.ticketNo]} />
          <Pair facts={['总分', formatNumber(student.totalScore), '科类', wordOf(student, 'examCategory')]} />
          <Pair facts={['层次', student.levelName, '专业', student.majorName]} />
          <Pair facts={['学习形式', wordOf(student, 'studyForm'), '学制', `${student.schoolingYears}年`]} />
          <Pair facts={['录取日期', paper.admittedOn, '入学日期', student.enrolledOn]} />
          <Pair facts={['站点', student.siteName, '预计毕业', student.expectedGraduationOn]} />
          <Part title="学籍变动" />
          <Changes history={paper.history} least={2} />
          <tr>
            <Opinion title="站点意见" span={2} />
            <Opinion title="院校意见" span={3} seal={paper.sealUrl} />
          </tr>
        </tbody>
      </table>
    </div>
  )
}

const SheetOf = ({ paper }: { paper: Paper }) => {
  const { whole, tools } = useWhole(ENTITY, paper.student.id, masked(paper.student))
  return (
    <PrintPreview note={`A4 纵向；${formatTime(paper.printedAt)}`} tools={tools}>
      <Sheet paper={{ ...paper, student: { ...paper.student, ...whole } }} />
    </PrintPreview>
  )
}

const Asked = ({ id }: { id: number }) => {
  const call = useCall()
  const paper = useQuery({
    queryKey: [printStudent.path, id],
    queryFn: () => call(printStudent, { query: { id } }),
  })
  return <Loaded query={paper}>{(shown) => <SheetOf paper={shown} />}</Loaded>
}

/** 打印学籍登记表 of one student. */
export const StudentPaper = ({ visible, record, onClose }: DrawerProps<Wanted>) => {
  const title = `打印学籍登记表 ${record?.name ?? ''}`
  return (
    <Drawer title={title} width={860} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      {record && <Asked id={record.id} />}
    </Drawer>
  )
}
