import { Alert, Descriptions } from '@arco-design/web-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useAllowed } from '@/api/identity'
import { useCall } from '@/api/schoolContext'
import { listCorrections } from '@/corrections/api'
import { isFile, ownValue, useStageForm } from '@/field_attributes/stage'
import { spanOf } from '@/kit/FormPaper'
import { formatTime } from '@/kit/format'
import { fieldOf, labelOf } from '@/kit/labels'
import { Masked } from '@/kit/Masked'
import { PaperFigure } from '@/kit/Papers'
import { Word } from '@/kit/Status'
import { usePlaces } from '@/kit/usePlaces'
import { useEnumeration } from '@/settings/useEnumeration'
import { editAdmissionCommitment, editAdmissionInformation, editGraduationInformation } from './api'
import type { Group } from './groups'
import { type Item, openItems, type View } from './informationRules'
import { correctionTones } from './tones'
import '@/kit/figures.css'
import '@/kit/papers.css'
import './informationReview.css'

/** Somebody's form, and the group to which it belongs. */
export interface Shown {
  group: Group
  view: View
}

/** One form in full. */
export const useInformation = (group: Group, id: number | undefined) => {
  const call = useCall()
  return useQuery({
    queryKey: [group.view.path, id],
    queryFn: () => call(group.view, { query: { id: id ?? 0 } }),
    enabled: id !== undefined,
  })
}

/** The school's own fields of a group; none while they are asked for. */
export const useOwnFields = ({ stage }: Pick<Group, 'stage'>) => {
  const asked = useStageForm(stage ?? 'admission_information', stage !== undefined)
  return (asked.data ?? []).filter((field) => !field.builtIn)
}

const NOTHING = <span className="nothing">—</span>

const orNothing = (value: ReactNode) => (value === null || value === undefined || value === '' ? NOTHING : value)

interface Fact {
  label: string
  value: ReactNode
}

export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <Descriptions
    column={2}
    tableLayout="fixed"
    labelStyle={{ width: 112 }}
    data={facts.map(({ label, value }) => ({ key: label, label, value: orNothing(value) }))}
  />
)

/** A value that shows itself on click, by the name under which the server registered it. */
const Hidden = ({ group, view, field, label, value }: Shown & { field: string; label: string; value: string }) => (
  <Masked key={`${view.id}${field}`} entity={group.entity} id={view.id} field={field} label={label} value={value} />
)

const hidden = (shown: Shown, field: string, label: string, value: string | null | undefined) =>
  value ? <Hidden {...shown} field={field} label={label} value={value} /> : undefined

const registeredOf = (shown: Shown, { key, label, registered }: Item) =>
  key === 'id_card_no' ? hidden(shown, 'idCardNo', label, registered) : registered

const declaredOf = (shown: Shown, { key, label, declared }: Item) =>
  key === 'id_card_no' ? hidden(shown, 'declaredIdCardNo', `应为的${label}`, declared) : declared

/** What the student says to an item. */
const Said = ({ item, ...shown }: Shown & { item: Item }) => {
  if (item.ok == null) return <span className="nothing">未核对</span>
  if (item.ok) return <Word tone="good">无误</Word>
  return (
    <>
      <Word tone={item.settled ? 'good' : 'bad'}>{item.settled ? '已更正' : '有误'}</Word>{' '}
      <strong>应为：{orNothing(declaredOf(shown, item))}</strong>
    </>
  )
}

/** 核对项: what is registered beside what the student says. */
export const Items = (shown: Shown) => (
  <table className="information-items">
    <caption className="unseen">核对项</caption>
    <thead>
      <tr>
        <th scope="col">项目</th>
        <th scope="col">登记的信息</th>
        <th scope="col">本人核对</th>
      </tr>
    </thead>
    <tbody>
      {shown.view.items.map((item) => (
        <tr key={item.key} className={item.ok === false ? 'differs' : undefined}>
          <th scope="row">{item.label}</th>
          <td>{orNothing(registeredOf(shown, item))}</td>
          <td>
            <Said {...shown} item={item} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** The correction that what is wrong opened, where somebody may look at it. */
export const ToCorrection = ({ view }: Pick<Shown, 'view'>) => {
  const places = usePlaces()
  const may = useAllowed()(listCorrections)
  const { correctionId, correctionStatus } = view
  if (correctionId == null || !correctionStatus) return null
  const word = (
    <Word tone={correctionTones[correctionStatus]}>{labelOf(listCorrections, 'status', correctionStatus)}</Word>
  )
  if (!may) return word
  return (
    <Link className="overview-link" to={correctionPlace(places, view)}>
      查看信息更正 {word}
    </Link>
  )
}

/** Where the correction of somebody's items stands. */
export const correctionPlace = (
  places: ReturnType<typeof usePlaces>,
  { studentNo, examineeNo, name, correctionId }: Pick<View, 'studentNo' | 'examineeNo' | 'name' | 'correctionId'>,
) =>
  places('students', { tab: 'corrections', keyword: studentNo ?? examineeNo ?? name, open: correctionId ?? undefined })

/** All that speaks against a form. */
export const Doubts = ({ group, view }: Shown) => {
  const open = openItems(view)
  const said = [
    ...(open.length > 0 ? [`核对不符：${open.map(({ label }) => label).join('、')}`] : []),
    ...view.warnings,
    ...(group.kind === 'admission_commitment' && view.chsiPreCheck === 'failed' ? ['前置学历清查未通过'] : []),
    ...(view.status === 'returned' && view.remark ? [`已退回：${view.remark}`] : []),
  ]
  if (said.length === 0) return null
  return (
    <Alert
      className="form-lead"
      type="warning"
      title="请核对"
      content={
        <>
          {said.map((each) => (
            <div key={each}>{each}</div>
          ))}
          <ToCorrection view={view} />
        </>
      }
    />
  )
}

const label = (name: string) => fieldOf(editAdmissionInformation, name).label

const Contact = (shown: Shown) => {
  const { information } = shown.view
  if (!information) return null
  const plain = (name: 'postalCode' | 'workUnit' | 'occupation' | 'nativePlace' | 'emergencyContact') => ({
    label: label(name),
    value: information[name],
  })
  const masked = (name: 'phone' | 'email' | 'address' | 'emergencyPhone', field: string = name) => ({
    label: label(name),
    value: hidden(shown, field, label(name), information[name]),
  })
  return (
    <Facts
      facts={[
        masked('phone', 'contactPhone'),
        masked('email'),
        masked('address'),
        plain('postalCode'),
        plain('workUnit'),
        plain('occupation'),
        plain('nativePlace'),
        plain('emergencyContact'),
        masked('emergencyPhone'),
      ]}
    />
  )
}

const commitmentFields = [
  'preEduLevel',
  'preEduSchool',
  'preEduMajor',
  'preEduCertificateNo',
  'preEduGraduatedOn',
  'evidenceKind',
  'verifyCode',
  'reportNo',
] as const

const Former = ({ view: { commitment } }: Shown) =>
  commitment ? (
    <Facts
      facts={commitmentFields.map((name) => ({
        label: fieldOf(editAdmissionCommitment, name).label,
        value: labelOf(editAdmissionCommitment, name, commitment[name]),
      }))}
    />
  ) : null

const wordsOfGraduation = ['practice', 'thesisTitle', 'rewards', 'punishments'] as const

const Assessment = (shown: Shown) => {
  const { graduation } = shown.view
  if (!graduation) return null
  const named = (name: string) => fieldOf(editGraduationInformation, name).label
  return (
    <>
      <h4>{named('selfAssessment')}</h4>
      <p className="information-text">{orNothing(graduation.selfAssessment)}</p>
      <Facts
        facts={[
          ...wordsOfGraduation.map((name) => ({ label: named(name), value: graduation[name] })),
          {
            label: named('contactAfter'),
            value: hidden(shown, 'contactAfterPhone', named('contactAfter'), graduation.contactAfter),
          },
        ]}
      />
    </>
  )
}

/** 简历, line by line. */
const Resume = ({ view }: Shown) => {
  const lines = (view.information ?? view.graduation)?.resume ?? []
  if (lines.length === 0) return NOTHING
  return (
    <table className="information-items">
      <caption className="unseen">简历</caption>
      <thead>
        <tr>
          <th scope="col">起止年月</th>
          <th scope="col">学校或单位</th>
          <th scope="col">职务</th>
          <th scope="col">证明人</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={`${line.from}${line.unit}`}>
            <td>{spanOf(line)}</td>
            <td>{line.unit}</td>
            <td>{line.duty}</td>
            <td>{line.witness}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Family = ({ view }: Shown) => {
  const lines = view.graduation?.family ?? []
  if (lines.length === 0) return NOTHING
  return (
    <table className="information-items">
      <caption className="unseen">家庭成员</caption>
      <thead>
        <tr>
          <th scope="col">关系</th>
          <th scope="col">姓名</th>
          <th scope="col">工作单位</th>
          <th scope="col">职务</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={`${line.relation}${line.name}`}>
            <td>{line.relation}</td>
            <td>{line.name}</td>
            <td>{line.unit}</td>
            <td>{line.duty}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const OwnFields = ({ group, view }: Shown) => {
  const fields = useOwnFields(group).filter((field) => !isFile(field))
  const extra = (view.information ?? view.graduation)?.extra ?? {}
  return (
    <Facts facts={fields.map((field) => ({ label: field.label, value: ownValue(field, extra[field.fieldKey]) }))} />
  )
}

const photosOf = ({ photos }: View) =>
  [
    ['录取照片', photos.admissionUrl],
    ['入学照片', photos.enrolUrl],
    ['新交入学照片', photos.newEnrolUrl],
    ['学历照片', photos.graduationUrl],
  ] as const

/** The pictures that a group asks for; others are shown where there are such. */
const asked: Record<Group['kind'], readonly string[]> = {
  admission_information: ['录取照片', '入学照片'],
  admission_commitment: [],
  graduation_information: ['录取照片', '入学照片', '学历照片'],
}

/** Pictures of the student beside each other. */
export const Photos = ({ group, view }: Shown) => (
  <div className="information-photos">
    {photosOf(view)
      .filter(([words, url]) => url || asked[group.kind].includes(words))
      .map(([words, url]) => (
        <figure key={words}>
          {url ? <img src={url} alt={`${view.name}的${words}`} /> : <span>未上传</span>}
          <figcaption>{words}</figcaption>
        </figure>
      ))}
  </div>
)

/** 材料, the scan of what was signed on paper, the signature. */
export const Files = ({ view: { attachments, papers, signatureUrl, name, signedAt } }: Shown) => {
  if (attachments.length + papers.length === 0 && !signatureUrl) return <p>没有上传材料</p>
  return (
    <ul className="papers" aria-label="材料">
      {papers.map((file) => (
        <li key={file.key}>
          <PaperFigure label="签字的纸质表" name={file.name} url={file.url} />
        </li>
      ))}
      {attachments.map((file) => (
        <li key={file.key}>
          <PaperFigure label="材料" name={file.name} url={file.url} />
        </li>
      ))}
      {signatureUrl && (
        <li>
          <figure>
            <img src={signatureUrl} alt={`${name}的签名`} />
            <figcaption>签名 {formatTime(signedAt, 'YYYY-MM-DD HH:mm')}</figcaption>
          </figure>
        </li>
      )}
    </ul>
  )
}

/** The 承诺书 as it was signed, or as it would be signed now. */
const Commitment = ({ view: { commitmentText, commitmentVersion, signed, signedAt } }: Shown) => (
  <>
    <p className="form-hint">
      {signed
        ? `已签署第${commitmentVersion ?? ''}版 ${formatTime(signedAt, 'YYYY-MM-DD HH:mm')}`
        : '还没有签署，下面是当前的承诺书'}
    </p>
    {commitmentText ? <p className="information-commitment">{commitmentText}</p> : <p>该年级还没有启用的采集设置</p>}
  </>
)

/** 办理过程: who handed in, who decided, and what they said. */
export const Steps = ({ view: { steps } }: Pick<Shown, 'view'>) => {
  const words = new Map(useEnumeration('informationStage').map(({ code, desc }) => [code, desc]))
  if (steps.length === 0) return <p>还没有提交</p>
  return (
    <ol className="history" aria-label="办理过程">
      {steps.map((each) => (
        <li key={`${each.createdAt}${each.step}`}>
          <strong>{words.get(each.step) ?? ''}</strong> {formatTime(each.createdAt)} {each.actorName}
          {each.remark && <p>{each.remark}</p>}
        </li>
      ))}
    </ol>
  )
}

const Opinions = ({ view: { classOpinion, siteOpinion, schoolOpinion } }: Shown) => (
  <Facts
    facts={[
      { label: '班级鉴定', value: classOpinion },
      { label: '站点意见', value: siteOpinion },
      { label: '院校意见', value: schoolOpinion },
    ]}
  />
)

/** What a form of the group says, part by part. */
export const partsOf = (shown: Shown) => {
  const items = { title: '核对项', content: <Items {...shown} /> }
  const resume = { title: '简历', content: <Resume {...shown} /> }
  const own = { title: '补充信息', content: <OwnFields {...shown} /> }
  switch (shown.group.kind) {
    case 'admission_information':
      return [items, { title: '联系信息', content: <Contact {...shown} /> }, resume, own]
    case 'admission_commitment':
      return [
        { title: '入学前学历', content: <Former {...shown} /> },
        { title: '承诺书', content: <Commitment {...shown} /> },
      ]
    case 'graduation_information':
      return [
        items,
        resume,
        { title: '家庭成员', content: <Family {...shown} /> },
        { title: '自我鉴定', content: <Assessment {...shown} /> },
        { title: '鉴定意见', content: <Opinions {...shown} /> },
        own,
      ]
  }
}
