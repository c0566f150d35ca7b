import { Button, Drawer } from '@arco-design/web-react'
import { IconEye } from '@arco-design/web-react/icon'
import { useMutation, useQuery } from '@tanstack/react-query'
import { viewPlain } from '@/api/infra'
import type { RowOf } from '@/api/operation'
import { useCall } from '@/api/schoolContext'
import { DialogName } from '@/kit/DialogName'
import { formatTime } from '@/kit/format'
import { Loaded } from '@/kit/Loaded'
import { labelOf } from '@/kit/labels'
import { PrintPreview } from '@/kit/PrintPreview'
import { QrCode } from '@/kit/QrCode'
import type { DrawerProps } from '@/kit/useDrawer'
import { type listPreRegistrations, printPreRegistration, viewPreRegistration } from './api'
import { ENTITY, masked } from './PreRegistrationDetail'
import '@/kit/formPaper.css'

type Row = RowOf<typeof listPreRegistrations>
type Paper = RowOf<typeof printPreRegistration>

/** What was shown in full, by field. */
/** The number of the person, to be scanned at the counter. */
const CODE_PX = 88

type Plain = Partial<Record<(typeof masked)[number], string>>

const Photo = ({ person }: { person: Paper }) => (
  <td className="form-photo" rowSpan={5}>
    {person.photoUrl ? <img src={person.photoUrl} alt={`${person.name}的照片`} /> : <span>照片</span>}
  </td>
)

const Part = ({ title }: { title: string }) => (
  <tr>
    <th className="form-part" colSpan={5} scope="colgroup">
      {title}
    </th>
  </tr>
)

const Sheet = ({ person }: { person: Paper }) => {
  const word = (field: keyof Paper & string) => labelOf(viewPreRegistration, field, String(person[field] ?? ''))
  return (
    <div className="registration-form">
      <h2>{person.schoolName}</h2>
      <h2>成人高等学历继续教育预报名登记表</h2>
      <p className="form-about">
        <span>批次：{person.batchName}</span>
        <span>网报号：{person.provincialRegNo ?? ''}</span>
        <span>考生号：{person.examineeNo ?? ''}</span>
      </p>
      <table>
        <colgroup>
          <col style={{ width: '14%' }} />
          <col style={{ width: '26%' }} />
          <col style={{ width: '14%' }} />
          <col style={{ width: '26%' }} />
          <col style={{ width: '20%' }} />
        </colgroup>
        <tbody>
          <tr>
            <th scope="row">姓名</th>
            <td>{person.name}</td>
            <th scope="row">性别</th>
            <td>{word('gender')}</td>
            <Photo person={person} />
          </tr>
          <tr>
            <th scope="row">出生日期</th>
            <td>{person.birthday}</td>
            <th scope="row">民族</th>
            <td>{person.ethnicityName}</td>
          </tr>
          <tr>
            <th scope="row">政治面貌</th>
            <td>{person.politicalStatusName}</td>
            <th scope="row">证件类型</th>
            <td>{word('idCardType')}</td>
          </tr>
          <tr>
            <th scope="row">证件号</th>
            <td colSpan={3}>{person.idCardNo}</td>
          </tr>
          <tr>
            <th scope="row">手机</th>
            <td>{person.phone}</td>
            <th scope="row">邮箱</th>
            <td>{person.email}</td>
          </tr>
          <tr>
            <th scope="row">通讯地址</th>
            <td colSpan={2}>{person.address}</td>
            <th scope="row">邮编</th>
            <td>{person.postalCode}</td>
          </tr>
          <tr>
            <th scope="row">工作单位</th>
            <td colSpan={2}>{person.workUnit}</td>
            <th scope="row">职业</th>
            <td>{person.occupation}</td>
          </tr>
          <tr>
            <th scope="row">户籍地</th>
            <td colSpan={4}>{person.hukouPlace}</td>
          </tr>
          <Part title="入学前学历" />
          <tr>
            <th scope="row">学历</th>
            <td>{word('preEduLevel')}</td>
            <th scope="row">毕业院校</th>
            <td colSpan={2}>{person.preEduSchool}</td>
          </tr>
          <tr>
            <th scope="row">所学专业</th>
            <td>{person.preEduMajor}</td>
            <th scope="row">毕业证书号</th>
            <td colSpan={2}>{person.preEduCertificateNo}</td>
          </tr>
          <tr>
            <th scope="row">毕业日期</th>
            <td colSpan={4}>{person.preEduGraduatedOn}</td>
          </tr>
          <Part title="报读信息" />
          <tr>
            <th scope="row">年级</th>
            <td>{person.gradeName}</td>
            <th scope="row">层次</th>
            <td colSpan={2}>{person.levelName}</td>
          </tr>
          <tr>
            <th scope="row">专业</th>
            <td>{person.majorName}</td>
            <th scope="row">学习形式</th>
            <td colSpan={2}>{word('studyForm')}</td>
          </tr>
          <tr>
            <th scope="row">站点</th>
            <td>{person.siteName}</td>
            <th scope="row">科类</th>
            <td colSpan={2}>{word('examCategory')}</td>
          </tr>
          <tr>
            <td className="form-declaration" colSpan={4}>
              <p>本人承诺：以上信息真实、准确、完整，如有不实，由此产生的后果由本人承担。</p>
              <p>
                <span>报名人签名：＿＿＿＿＿＿＿＿</span>
                <span>日期：＿＿＿＿年＿＿月＿＿日</span>
              </p>
            </td>
            <td className="form-code">
              <QrCode text={String(person.id)} label={`预报名编号${person.id}的二维码`} size={CODE_PX} />
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  )
}

const SheetOf = ({ paper: person }: { paper: Paper }) => {
  const call = useCall()
  const hidden = masked.filter((field) => person[field]?.includes('*'))
  const opening = useMutation({
    mutationFn: async () => {
      const values = hidden.map(async (field) => {
        const { value } = await call(viewPlain, { body: { entity: ENTITY, id: person.id, field } })
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
    <PrintPreview note={`A4 纵向；照片 33×48 毫米；${formatTime(person.printedAt)}`} tools={tools}>
      <Sheet person={{ ...person, ...opening.data }} />
    </PrintPreview>
  )
}

/** 报名登记表 on A4 upright, to be printed and signed. */
export const RegistrationFormPaper = ({ visible, record, onClose }: DrawerProps<Row>) => {
  const call = useCall()
  const paper = useQuery({
    queryKey: [printPreRegistration.path, record?.id],
    queryFn: () => call(printPreRegistration, { query: { id: record?.id } }),
    enabled: visible && record !== undefined,
  })
  const title = `报名登记表 ${record?.name ?? ''}`
  return (
    <Drawer title={title} width={860} visible={visible} footer={null} onCancel={onClose} unmountOnExit>
      <DialogName name={title} />
      <Loaded query={paper}>{(shown) => <SheetOf paper={shown} />}</Loaded>
    </Drawer>
  )
}
